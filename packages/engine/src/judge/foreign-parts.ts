import { boxMean } from '../pixels/box-mean.ts';
import { planeOf } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import type { Check } from './check.ts';
import { findMarkedParts } from './find-parts.ts';
import type { JudgedPicture } from './judged-picture.ts';
import { distanceTo } from './limbs.ts';

/** How far around a pixel is looked for people, in face heights, and the share of it that encloses the pixel. */
const around = 0.2;
const enclosed = 0.75;

/** How near to a limb and to a hand something belongs to the person, in face heights. */
const onLimb = 0.25;
const inHand = 0.6;

/**
 * A part that is kept though the body classes call it background, where it stands out from people: flowers of a
 * painting beside a shoulder. What people are all around of, such as a bottle before a dress or a black top that the
 * classes do not know, belongs to them, and so does what is near a hand or lies on an arm. By area.
 */
export const foreignParts: Check = {
  name: 'foreign part',
  limit: 0.06,
  measure(picture) {
    const foreign = findForeign(picture);
    const [largest] = findMarkedParts(picture, (_, i) => foreign[i] === 1);
    return { measure: largest?.size ?? 0, regions: largest ? [largest.region] : [] };
  },
};

/** 1 in such parts, and around them where their edges are. */
export function markForeignParts(picture: JudgedPicture): ReducedPlane {
  const { byClasses, unit, factor } = picture;
  const near = boxMean(planeOf(findForeign(picture), picture), Math.max(1, 0.06 * unit)).data;
  const marked = near.map((share, i) => (share > 0 && byClasses[i]! < 0.5 ? 1 : 0));
  return { ...planeOf(marked, picture), factor };
}

function findForeign({ people, byClasses, hair, unit, limbs }: JudgedPicture): Float32Array {
  const nearby = boxMean(people, Math.max(2, around * unit)).data;
  const foreign = people.data.map((alpha, i) =>
    alpha >= 0.5 && byClasses[i]! < 0.3 && hair[i]! < 0.3 && nearby[i]! < enclosed ? 1 : 0,
  );
  if (!foreign.includes(1)) return foreign;
  const reaches = limbs.map((limb) => ({ limb, reach: (limb.name === 'hand' ? inHand : onLimb) * unit }));
  return foreign.map((mark, i) => {
    if (mark === 0) return 0;
    const point = { x: i % people.width, y: Math.floor(i / people.width) };
    return reaches.some(({ limb, reach }) => distanceTo(limb, point) < reach) ? 0 : 1;
  });
}
