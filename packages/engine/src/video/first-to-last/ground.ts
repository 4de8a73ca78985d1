import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { planeOf } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';

const factor = 8;
/** From the colours close by, and where there are none from further off; in pixels of the reduced picture. */
const reaches = [1.5, 5, 16, 48];

/**
 * The picture without its people: where they are, the colours around them run together. Seen only in slivers, where
 * people stand in front of the same place in both frames and not between them.
 */
export function withoutPeople(picture: Picture, alpha: Float32Array): Picture {
  const { width, height } = picture;
  const open = new Float32Array(alpha.length);
  for (let i = 0; i < alpha.length; i++) open[i] = 1 - smoothstep(0.02, 0.3, alpha[i]!);
  const weight = reduce({ width, height, data: open }, factor);
  const weights = reaches.map((sigma) => gaussianBlur(weight, sigma).data);
  const planes = mapPlanes(picture.planes, (plane) => {
    const lit = plane.map((value, i) => value * open[i]!);
    const small = reduce({ width, height, data: lit }, factor);
    const sums = reaches.map((sigma) => gaussianBlur(small, sigma).data);
    const around = small.data.map((_, i) => nearest(i, sums, weights));
    const fill = enlarge(planeOf(around, small), { width, height }, factor).data;
    return plane.map((value, i) => value * open[i]! + clamp(fill[i]!, 0, 1) * (1 - open[i]!));
  });
  return { width, height, planes };
}

function nearest(i: number, sums: readonly Float32Array[], weights: readonly Float32Array[]): number {
  let value = 0;
  let left = 1;
  for (const [k, sum] of sums.entries()) {
    const weight = weights[k]![i]!;
    const share = k === sums.length - 1 ? left : left * smoothstep(0.02, 0.4, weight);
    value += (share * sum[i]!) / Math.max(1e-4, weight);
    left -= share;
  }
  return value;
}
