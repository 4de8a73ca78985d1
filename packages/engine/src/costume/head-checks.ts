import { isInProfile, mostEnlargement } from '../faces/costume-limits.ts';
import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { BodyClasses } from '../matting/body-classes.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import type { Size } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { CostumeMeasures } from './costume-layers.ts';

/** The share of the directions up and to the sides in which a hand may lie on the hair. */
const mostCovered = 0.15;

/** The share of them, on either side, in which hands that touch both sides of a face are seen. */
const leastTouching = 0.05;

/** Refuses a photo whose head cannot be put into a costume, in words for the guest. */
export function assertHeadFitsCostume(
  people: PeoplePhoto,
  face: Face,
  { faceHeight }: Pick<CostumeMeasures, 'faceHeight'>,
): void {
  if (faceHeight > mostEnlargement * face.height) {
    throw cannotMake(
      'The face in the photo is too small for a costume. Come closer to the camera and try again.',
    );
  }
  if (isInProfile(face)) {
    throw cannotMake(
      'The head is turned too far to the side for a costume. Look at the camera and try again.',
    );
  }
  if (hasHandOnHead(people, face)) {
    throw cannotMake('There is a hand on the head. Put your hands down and try again.');
  }
  if (isCutBesideFace(people, face)) {
    throw cannotMake(
      'The head is cut off at the side of the photo. Step back from the camera and try again.',
    );
  }
}

/**
 * Whether a hand or an arm lies on the head, which would leave a hole or end in a stump: from the face outwards, hair
 * goes on beyond it, or on both sides one begins where the face ends. An arm on one side is left out, and in a group
 * so is what touches a face, which may be a neighbour's.
 */
function hasHandOnHead(people: PeoplePhoto, face: Face): boolean {
  const { x, y } = face.center;
  const mouth = pointOf(face, 13).y;
  const step = 0.02;
  let rays = 0;
  let covered = 0;
  const touching = { left: 0, right: 0 };
  for (let turn = 0; turn < 2 * Math.PI; turn += Math.PI / 36) {
    const [across, down] = [Math.cos(turn) * face.height, Math.sin(turn) * face.height];
    if (y + 0.5 * down > mouth) continue;
    rays++;
    let limb = 0;
    let hairBefore = 0;
    let hairBeyond = 0;
    for (let away = 0.3; away < 1.4; away += step) {
      const shares = sharesAt(people, x + away * across, y + away * down);
      if (shares.bodySkin > 0.6) limb += step;
      else if (shares.hair > 0.6 && limb > 0.2) hairBeyond += step;
      else if (shares.hair > 0.6 && limb < 0.06) hairBefore += step;
    }
    if (hairBeyond >= 0.1) covered++;
    if (limb >= 0.25 && hairBefore < 0.1) touching[across < 0 ? 'left' : 'right']++;
  }
  const isHeld = Math.min(touching.left, touching.right) > leastTouching * rays;
  return covered > mostCovered * rays || (people.faces.length === 1 && isHeld);
}

/** Whether the photo's side border cuts hair at the height of the face: it would end in a straight line. */
export function isCutBesideFace(people: SeenPeople & { photo: Size }, face: Face): boolean {
  const { width } = people.photo;
  const inset = Math.max(2, 0.006 * width);
  const from = Math.max(0, pointOf(face, 10).y - 0.5 * face.height);
  const to = pointOf(face, 13).y - 0.1 * face.height;
  const step = 0.02 * face.height;
  return [inset, width - 1 - inset].some((x) => {
    let cut = 0;
    for (let y = from; y < to; y += step) {
      const { hair, faceSkin } = sharesAt(people, x, y);
      if (hair + faceSkin > 0.5) cut += 0.02;
    }
    return cut > 0.1;
  });
}

/** Where people are in a photo, and what they are there. */
interface SeenPeople {
  matte: ReducedPlane;
  classes: BodyClasses;
}

/** What a point of the photo shows of these people. */
function sharesAt(
  { matte, classes: { shares, ...classes } }: SeenPeople,
  x: number,
  y: number,
): { hair: number; bodySkin: number; faceSkin: number } {
  const at = ({ width, height, factor }: Size & { factor: number }) => {
    const [column, row] = [Math.floor(x / factor), Math.floor(y / factor)];
    return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
  };
  const seen = matte.data[at(matte)] ?? 0;
  const i = at(classes);
  const share = (plane: Float32Array) => seen * (plane[i] ?? 0);
  return { hair: share(shares.hair), bodySkin: share(shares.bodySkin), faceSkin: share(shares.faceSkin) };
}
