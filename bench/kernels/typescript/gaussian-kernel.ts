import type { Plane, Row } from '@guise/engine/pixels/plane.ts';
import { allocate, withArena } from '@guise/engine/runtime/arena.ts';
import { rowsOf } from '@guise/engine/runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** σ to a pixel's reach. */
const tail = 2.8;
/** The σ beyond which the taps below do not reach. */
export const widestKernel = 6 / tail;

/** One side of a normalised Gaussian, the middle first; as long as the taps that go in one step, four or seven. */
function kernelOf(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(sigma * tail));
  const weights = new Float32Array(reach < 4 ? 4 : 7);
  let sum = 0;
  for (let i = 0; i <= reach; i++) {
    weights[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[i]! : 2 * weights[i]!;
  }
  for (let i = 0; i <= reach; i++) weights[i] = weights[i]! / sum;
  return weights;
}

/** Gaussian blur by its kernel, without a loop over taps inside the loop over pixels. */
export function blurByKernel({ width, height, data }: Plane, sigma: number): Plane {
  const weights = kernelOf(sigma);
  return withArena(() => {
    const rows = allocate(data.length);
    const target = allocate(data.length);
    forRows(kernelAcross, height, { source: data, width, weights }, { rows });
    forRows(kernelDown, height, { rows, width, height, weights }, { target });
    return { width, height, data: target };
  });
}

export function kernelAcross(
  { source, width, weights }: { source: Float32Array; width: number; weights: Float32Array },
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const reach = weights.length - 1;
  const padded = new Float32Array(width + 2 * reach);
  const taps = { source: padded, starts: Int32Array.from({ length: 2 * reach + 1 }, (_, k) => k), weights };
  for (let y = from; y < to; y++) {
    const start = y * width;
    padded.fill(source[start]!, 0, reach);
    padded.set(source.subarray(start, start + width), reach);
    padded.fill(source[start + width - 1]!, reach + width);
    if (reach === 3) sevenTaps(taps, { data: rows, start }, width);
    else thirteenTaps(taps, { data: rows, start }, width);
  }
}

export function kernelDown(
  {
    rows,
    width,
    height,
    weights,
  }: { rows: Float32Array; width: number; height: number; weights: Float32Array },
  { target }: { target: Float32Array },
  from: number,
  to: number,
): void {
  const reach = weights.length - 1;
  const starts = new Int32Array(2 * reach + 1);
  const taps = { source: rows, starts, weights };
  for (let y = from; y < to; y++) {
    for (let k = 0; k < starts.length; k++)
      starts[k] = Math.min(height - 1, Math.max(0, y + k - reach)) * width;
    if (reach === 3) sevenTaps(taps, { data: target, start: y * width }, width);
    else thirteenTaps(taps, { data: target, start: y * width }, width);
  }
}

/** Rows that are weighted and added: where each begins in the source, and the weights from the middle outwards. */
interface Taps {
  source: Float32Array;
  starts: Int32Array;
  weights: Float32Array;
}

function sevenTaps({ source, starts, weights }: Taps, { data: target, start }: Row, width: number): void {
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!];
  const [a3, a2, a1, here] = [starts[0]!, starts[1]!, starts[2]!, starts[3]!];
  const [b1, b2, b3] = [starts[4]!, starts[5]!, starts[6]!];
  for (let x = 0; x < width; x++) {
    target[start + x] =
      source[here + x]! * w0 +
      (source[a1 + x]! + source[b1 + x]!) * w1 +
      (source[a2 + x]! + source[b2 + x]!) * w2 +
      (source[a3 + x]! + source[b3 + x]!) * w3;
  }
}

function thirteenTaps({ source, starts, weights }: Taps, { data: target, start }: Row, width: number): void {
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!];
  const [w4, w5, w6] = [weights[4]!, weights[5]!, weights[6]!];
  const [a6, a5, a4, a3, a2, a1] = [starts[0]!, starts[1]!, starts[2]!, starts[3]!, starts[4]!, starts[5]!];
  const here = starts[6]!;
  const [b1, b2, b3, b4, b5, b6] = [
    starts[7]!,
    starts[8]!,
    starts[9]!,
    starts[10]!,
    starts[11]!,
    starts[12]!,
  ];
  for (let x = 0; x < width; x++) {
    target[start + x] =
      source[here + x]! * w0 +
      (source[a1 + x]! + source[b1 + x]!) * w1 +
      (source[a2 + x]! + source[b2 + x]!) * w2 +
      (source[a3 + x]! + source[b3 + x]!) * w3 +
      (source[a4 + x]! + source[b4 + x]!) * w4 +
      (source[a5 + x]! + source[b5 + x]!) * w5 +
      (source[a6 + x]! + source[b6 + x]!) * w6;
  }
}
