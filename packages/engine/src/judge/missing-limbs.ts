import { boxMean } from '../pixels/box-mean.ts';
import type { Window } from '../pixels/resample.ts';
import type { Check } from './check.ts';
import { isSeen, type JudgedPicture } from './judged-picture.ts';
import type { Limb } from './limbs.ts';

/** How far around a point of a limb people are looked for, in face heights, and the share of it that shows it. */
const around = 0.06;
const shown = 0.3;

/** How much of arms and sides that the photo shows is not in the picture, by length, together: an arm that ends in a stump. */
export const missingLimbs: Check = {
  name: 'missing limb',
  limit: 0.45,
  measure(picture) {
    const nearby = boxMean(picture.people, Math.max(1, around * picture.unit)).data;
    const missing = picture.limbs
      .map((limb) => findMissing(picture, limb, nearby))
      .filter(({ length }) => length > 0);
    return {
      measure: missing.reduce((sum, { length }) => sum + length, 0) / picture.unit,
      regions: missing.map(({ region }) => region),
    };
  },
};

function findMissing(
  picture: JudgedPicture,
  { from, to }: Limb,
  nearby: Float32Array,
): { length: number; region: Window } {
  const { width, height } = picture;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const steps = Math.max(2, Math.round(length));
  let missing = 0;
  for (let step = 0; step <= steps; step++) {
    const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
    const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) continue;
    const i = y * width + x;
    if (isSeen(picture, i) && nearby[i]! < shown) missing++;
  }
  return {
    length: (missing / steps) * length,
    region: {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x) + 1,
      height: Math.abs(to.y - from.y) + 1,
    },
  };
}
