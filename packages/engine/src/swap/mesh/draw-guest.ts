import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { fromLab, type LabPicture, mapLab, toLab } from '../../pixels/lab.ts';
import type { Picture } from '../../pixels/picture.ts';
import { mapToBytes, planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { clamp } from '../../pixels/scalar.ts';
import { type FaceViews, trustOf } from './face-views.ts';
import { meshPointCount } from './features.ts';
import { stretchMembrane } from './membrane.ts';
import { mapMesh, warpPicture } from './mesh-warp.ts';

export interface DrawnGuest {
  picture: Picture;
  /** How far the guest's face is to be shown: 0 outside of it and where the photo shows too little of it. */
  drawn: Float32Array;
}

export interface GuestShape {
  /** Where the points of the mesh go, in the patch. */
  shape: Float32Array;
  /** How much of each point comes from the second view. */
  fill: Float32Array;
}

/** The two halves of a face are lit differently by this much L*, a* or b* at most; more is hair or background. */
const mostDifference = 30;

/** The guest's face on a patch of the template's, in the template's pose; what the photo hides is the other half's. */
export function drawGuest(
  photo: Picture,
  views: FaceViews,
  { shape, fill }: GuestShape,
  { width, height, factor }: { width: number; height: number; factor: number },
): DrawnGuest {
  const { first, second } = views;
  const map = mapMesh(first.places, shape, width, height);
  const picture = warpPicture(photo, map, width, height, first.alignment.scale);
  const trust = trustOf(views, fill, shape);
  const isWhole = fill.every((value) => value === 0);
  if (isWhole && trust.every((value) => value === 1)) return { picture, drawn: map.covered };
  const packed = new Float32Array(meshPointCount * 3);
  for (let i = 0; i < meshPointCount; i++) packed.set([fill[i]!, trust[i]!], i * 3);
  const { x: share, y: trusted } = mapMesh(packed, shape, width, height);
  const drawn = map.covered.map((value, i) => value * trusted[i]!);
  if (isWhole) return { picture, drawn };
  const other = mapMesh(second.places, shape, width, height);
  const filling = warpPicture(photo, other, width, height, second.alignment.scale);
  return { picture: fromLab(joinHalves(toLab(picture), toLab(filling), share, factor)), drawn };
}

/** What of a face that is drawn already comes from the second view, at 1/factor of the face's size. */
export interface SecondViewFilling extends Size {
  /** How much of each pixel comes from the second view. */
  share: Float32Array;
  /** Where the first view shows skin: there the light of both is compared. */
  skin: Float32Array;
  factor: number;
}

/** The guest's face as it was drawn, with what the filling says from the second view. */
export function fillFromSecondView(
  face: LabPicture,
  photo: Picture,
  { second }: FaceViews,
  shape: Float32Array,
  { share, skin, factor, ...size }: SecondViewFilling,
): LabPicture {
  if (!share.some((value) => value > 0)) return face;
  const map = mapMesh(second.places, shape, face.width, face.height);
  const filling = warpPicture(photo, map, face.width, face.height, second.alignment.scale);
  return joinHalves(face, toLab(filling), enlarge(planeOf(share, size), face, factor).data, factor, skin);
}

/** The first with `share` of the second, whose light is made to meet the first's where one passes into the other. */
function joinHalves(
  first: LabPicture,
  second: LabPicture,
  share: Float32Array,
  factor: number,
  skin?: Float32Array,
): LabPicture {
  const small = reduce(planeOf(share, first), factor);
  const { width, height } = small;
  const inside = mapToBytes(small.data, (value) => (value > 0.01 ? 1 : 0));
  const known = mapToBytes(small.data, (value, i) =>
    value > 0.1 && value < 0.9 && (skin?.[i] ?? 1) > 0.5 ? 1 : 0,
  );
  const between = Float32Array.from(known);
  const weight = gaussianBlur({ width, height, data: between }, 3).data;
  const join = (mine: Float32Array, theirs: Float32Array) => {
    const off = reduce(
      planeOf(
        mine.map((value, i) => value - theirs[i]!),
        first,
      ),
      factor,
    ).data;
    const near = off.map((value, i) => clamp(value, -mostDifference, mostDifference) * between[i]!);
    const calm = gaussianBlur({ width, height, data: near }, 3).data;
    const values = calm.map((value, i) => (known[i] === 1 ? value / (weight[i]! + 1e-4) : 0));
    const membrane = stretchMembrane(values, known, inside, width, height);
    const offset = enlarge({ width, height, data: membrane }, first, factor).data;
    return mine.map((value, i) => value + share[i]! * (theirs[i]! + offset[i]! - value));
  };
  return mapLab(first, (mine, name) => join(mine, second[name]));
}
