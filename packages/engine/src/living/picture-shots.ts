import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { mapPlanes, type Picture } from '../pixels/picture.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { guideFrom, type Keyframe, scalePlane, scalePlanes } from './keyframe.ts';
import type { LivingScene } from './living-stage.ts';
import type { Shot, ShotDrawer } from './shot.ts';

/** A shot as a picture of its own, before a look is painted over it. */
export interface ShotPicture {
  picture: Picture;
  faces: Face[];
  /** Where it may differ from the other shots; null where that is to be seen. */
  people: Plane | null;
}

export interface PictureShotOptions {
  /** The clip's, by the size of the first picture. */
  sizeFor(picture: Size): Size;
  factor: number;
  /** The shot as a picture, placed as the first one was. */
  make(shot: Shot): Promise<ShotPicture>;
  paint(picture: Picture, faces: Face[]): Promise<Picture>;
}

/** Less than this, in display values, is noise between two shots of the same thing. */
const leastDifference = 0.03;

/**
 * The photos themselves, or templates with the guests' faces. What stands still in them is shown as it is in the first
 * shot, so that no grain and no stroke of a brush moves there.
 */
export function pictureShots({ sizeFor, factor, make, paint }: PictureShotOptions): ShotDrawer {
  let first: ShotPicture | null = null;
  let scene: LivingScene | null = null;
  return {
    async draw(shot) {
      const made = await make(shot);
      first ??= made;
      const size = sizeFor(first.picture);
      const still = await paint(made.picture, made.faces);
      scene ??= sceneFrom(still, size);
      const people = made.people ?? differenceOf(first.picture, made.picture);
      const alpha = withArena(() => widen(people, size));
      keepBorders(alpha, size);
      const keyframe = timesAlpha(still, alpha, size);
      const guide = guideFrom(
        timesAlpha(made.picture, new Float32Array(alpha.length).fill(1), size),
        factor,
        false,
      );
      const scale = size.width / made.picture.width;
      const faces = made.faces.map((face) => moveFace(face, { scale, x: 0, y: 0 }));
      return { drawn: { index: shot.index, keyframe, guide, faces }, still };
    },
    scene: () => scene!,
    applied: () => [],
    ignored: () => [],
    quality: () => ({}),
  };
}

function sceneFrom(picture: Picture, size: Size): LivingScene {
  return { ...size, plate: scalePlanes(picture.planes, picture, size), front: null, finish: null };
}

/** Where two pictures differ. */
function differenceOf(one: Picture, other: Picture): Plane {
  const data = new Float32Array(one.width * one.height);
  for (let i = 0; i < data.length; i++) {
    let most = 0;
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(one.planes[c]![i]! - other.planes[c]![i]!));
    data[i] = most > leastDifference ? 1 : 0;
  }
  return planeOf(data, one);
}

/** What moves with a margin, and a soft border around that. */
function widen(people: Plane, size: Size): Float32Array {
  const radius = Math.max(2, Math.round(size.width / 60));
  const alpha = scalePlane(people, size);
  const wide = boxMean(planeOf(alpha, size), radius).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = clamp(6 * wide[i]!, 0, 1);
  const soft = boxMean(planeOf(alpha, size), radius >> 1).data;
  alpha.set(soft);
  return alpha;
}

/** How wide the border is that stands still, and where it ends, in widths of the clip. */
const stillBorder = { from: 0.05, to: 0.1 };

/** Leaves the borders as they are in the first shot, in place: of some looks they are bare paper with a torn edge. */
function keepBorders(alpha: Float32Array, { width, height }: Size): void {
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) / width;
      if (inside < stillBorder.to) alpha[i]! *= smoothstep(stillBorder.from, stillBorder.to, inside);
    }
  }
}

function timesAlpha(picture: Picture, alpha: Float32Array, size: Size): Keyframe {
  const colour = mapPlanes(scalePlanes(picture.planes, picture, size), (plane) => {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * alpha[i]!;
    return plane;
  });
  return { ...size, colour, alpha };
}
