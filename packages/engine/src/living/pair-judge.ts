import type { Size } from '../pixels/plane.ts';
import type { FlowFinder, FrameFlow } from './frame-flow.ts';

/**
 * Of pairs that look right at most this share of the blocks around people does not come together, and of pairs that are
 * shown at all no more than the other. Two pairs with 11 %, where hair falls from one side to the other, look right; a
 * head that turns from its profile has 19 and 25 %, hands that come up 49 %.
 */
export const goodPair = 0.12;
export const worstPair = 0.2;

const blockSide = 8;

/** By how much, of 255, a block differs that is not the same in both shots, and one that was not brought together. */
const differs = 8 / 255;
const stillDiffers = 16 / 255;

/**
 * A block that differs by more than this shows what only one shot has: a hand that comes up, an arm elsewhere. Hair and
 * creases, of which the eye takes more, stay below. Of 11 pairs that look right 0 to 0.7 % of the blocks do, and of one
 * 2.8 %; of four with ghosts of arms 1.2 to 4.6 %. So each counts as many.
 */
const lost = 48 / 255;
const lostCount = 16;

/**
 * The share of the blocks of two shots that differ, and still do where both are brought to the middle between them; what
 * is lost on the way counts for more.
 */
export async function judgePair(
  find: FlowFinder,
  first: Float32Array,
  last: Float32Array,
  size: Size,
): Promise<number> {
  const between = await find(first, last, size, 0.5);
  const before = blockDifferences(first, last, size);
  const after = blockDifferences(warp(first, between, 0), warp(last, between, 2), size);
  const share = (limit: number) =>
    before.reduce((count, value, i) => count + (value > differs && after[i]! > limit ? 1 : 0), 0) /
    before.length;
  return Math.min(1, Math.max(share(stillDiffers), lostCount * share(lost)));
}

/** The mean difference of each block of two pictures. */
function blockDifferences(first: Float32Array, last: Float32Array, { width, height }: Size): Float32Array {
  const columns = Math.floor(width / blockSide);
  const sums = new Float32Array(columns * Math.floor(height / blockSide));
  for (let i = 0; i < 3 * width * height; i++) {
    const y = Math.floor((i % (width * height)) / width);
    const at = Math.floor(y / blockSide) * columns + Math.floor((i % width) / blockSide);
    sums[at] = sums[at]! + Math.abs(first[i]! - last[i]!);
  }
  return sums.map((sum) => sum / (3 * blockSide ** 2));
}

/** A picture carried by two planes of a flow. */
export function warp(picture: Float32Array, { width, height, flow }: FrameFlow, plane: 0 | 2): Float32Array {
  const count = width * height;
  const warped = new Float32Array(3 * count);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const u = Math.min(width - 1, Math.max(0, x + flow[plane * count + i]!));
      const v = Math.min(height - 1, Math.max(0, y + flow[(plane + 1) * count + i]!));
      const [left, top] = [Math.min(width - 2, Math.floor(u)), Math.min(height - 2, Math.floor(v))];
      const [a, b] = [u - left, v - top];
      for (let c = 0; c < 3; c++) {
        const at = c * count + top * width + left;
        const upper = picture[at]! + (picture[at + 1]! - picture[at]!) * a;
        const lower = picture[at + width]! + (picture[at + width + 1]! - picture[at + width]!) * a;
        warped[c * count + i] = upper + (lower - upper) * b;
      }
    }
  }
  return warped;
}
