import { boxMean } from '../pixels/box-mean.ts';
import type { Plane, Size } from '../pixels/plane.ts';

/** A pixel of people beside one that is none, and what lies on both sides of it. */
export interface OutlinePoint {
  x: number;
  y: number;
  /** Where the outline's outside is: a vector of length 1. */
  out: { x: number; y: number };
  /** The pixels on both sides, beyond the edge that the body classes are uncertain of. */
  inside: number;
  outside: number;
  /** The pixel further outside, where a strand of hair or the edge of a sleeve has ended. */
  farOutside: number;
}

/** What is known of where people are in a picture: as JudgedPicture, which has the outline of it. */
interface OutlinedPeople extends Size {
  unit: number;
  people: Plane;
  inPhoto: Float32Array;
  barrierTops: Float32Array;
}

/** How far from the outline both sides are read, in face heights. */
const reach = 0.1;
const farReach = 0.25;

/** Where people end in the picture by their own outline: not at its border, behind the barrier, or where a photo ends. */
export function findOutline({
  width,
  height,
  unit,
  people,
  inPhoto,
  barrierTops,
}: OutlinedPeople): OutlinePoint[] {
  const [off, farOff] = [Math.max(2, reach * unit), Math.max(4, farReach * unit)];
  const soft = boxMean(people, Math.max(1, 0.04 * unit)).data;
  const points: OutlinePoint[] = [];
  const { data } = people;
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      if (data[i]! < 0.5 || y > barrierTops[x]! - 3) continue;
      if (data[i - 1]! >= 0.5 && data[i + 1]! >= 0.5 && data[i - width]! >= 0.5 && data[i + width]! >= 0.5)
        continue;
      const dx = soft[i - 1]! - soft[i + 1]!;
      const dy = soft[i - width]! - soft[i + width]!;
      const length = Math.hypot(dx, dy);
      if (length === 0) continue;
      const out = { x: dx / length, y: dy / length };
      const at = (by: number) => {
        const column = Math.round(x + by * out.x);
        const row = Math.round(y + by * out.y);
        return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
      };
      const outside = at(off);
      const inside = at(-off);
      if (outside < 0 || inside < 0 || inPhoto[outside] === 0) continue;
      const far = at(farOff);
      const farOutside = far < 0 || inPhoto[far] === 0 ? outside : far;
      points.push({ x, y, out, inside, outside, farOutside });
    }
  }
  return points;
}

/** Whether the photo goes on with a person beyond the outline, further than the body classes are uncertain. */
export function isPersonBeyond(
  { byClasses }: { byClasses: Float32Array },
  { outside, farOutside }: OutlinePoint,
): boolean {
  return byClasses[outside]! > 0.6 && byClasses[farOutside]! > 0.6;
}
