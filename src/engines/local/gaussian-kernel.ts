import { rowsOf } from './rows.ts';
import { floats, scratch } from './scratch.ts';

const forRows = rowsOf(import.meta.url);

/** One side of a normalised Gaussian, the middle first; as long as the taps that go in one step, four or seven. */
function kernelOf(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(sigma * 2.8));
  const weights = new Float32Array(reach < 4 ? 4 : 7);
  let sum = 0;
  for (let i = 0; i <= reach; i++) {
    weights[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[i]! : 2 * weights[i]!;
  }
  for (let i = 0; i <= reach; i++) weights[i] = weights[i]! / sum;
  return weights;
}

/** Four taps in one go, then three: no loop over taps inside the loop over pixels. */
export function kernelBlur(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const weights = kernelOf(sigma);
  return scratch(() => {
    const rows = floats(source.length);
    const target = floats(source.length);
    forRows(kernelAcross, height, { source, width, weights }, { rows });
    forRows(kernelDown, height, { rows, width, height, weights }, { target });
    return target;
  });
}

export function kernelAcross(
  { source, width, weights }: { source: Float32Array; width: number; weights: Float32Array },
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!];
  const [w4, w5, w6] = [weights[4] ?? 0, weights[5] ?? 0, weights[6] ?? 0];
  const reach = weights.length - 1;
  const padded = new Float32Array(width + 2 * reach);
  for (let y = from; y < to; y++) {
    const start = y * width;
    padded.fill(source[start]!, 0, reach);
    for (let x = 0, p = reach; x < width; x++, p++) padded[p] = source[start + x]!;
    padded.fill(source[start + width - 1]!, reach + width);
    for (let x = 0, p = reach; x < width; x++, p++) {
      rows[start + x] =
        padded[p]! * w0 +
        (padded[p - 1]! + padded[p + 1]!) * w1 +
        (padded[p - 2]! + padded[p + 2]!) * w2 +
        (padded[p - 3]! + padded[p + 3]!) * w3;
    }
    if (reach === 3) continue;
    for (let x = 0, p = reach; x < width; x++, p++) {
      rows[start + x] =
        rows[start + x]! +
        (padded[p - 4]! + padded[p + 4]!) * w4 +
        (padded[p - 5]! + padded[p + 5]!) * w5 +
        (padded[p - 6]! + padded[p + 6]!) * w6;
    }
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
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!];
  const [w4, w5, w6] = [weights[4] ?? 0, weights[5] ?? 0, weights[6] ?? 0];
  const row = (y: number) => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = from; y < to; y++) {
    const here = y * width;
    const [a1, a2, a3, b1, b2, b3] = [row(y - 1), row(y - 2), row(y - 3), row(y + 1), row(y + 2), row(y + 3)];
    for (let x = 0; x < width; x++) {
      target[here + x] =
        rows[here + x]! * w0 +
        (rows[a1 + x]! + rows[b1 + x]!) * w1 +
        (rows[a2 + x]! + rows[b2 + x]!) * w2 +
        (rows[a3 + x]! + rows[b3 + x]!) * w3;
    }
    if (weights.length === 4) continue;
    const [a4, a5, a6, b4, b5, b6] = [row(y - 4), row(y - 5), row(y - 6), row(y + 4), row(y + 5), row(y + 6)];
    for (let x = 0; x < width; x++) {
      target[here + x] =
        target[here + x]! +
        (rows[a4 + x]! + rows[b4 + x]!) * w4 +
        (rows[a5 + x]! + rows[b5 + x]!) * w5 +
        (rows[a6 + x]! + rows[b6 + x]!) * w6;
    }
  }
}
