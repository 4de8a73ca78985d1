import { allocate, allocateCopy, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { boxMeans } from './box-means.ts';
import { kernelBlur, widestKernel } from './gaussian-kernel.ts';
import type { Picture } from './picture.ts';

const forRows = rowsOf(import.meta.url);

/** Mean over a square of side 2r+1, whose window shrinks at the borders; cost does not grow with r. */
export function boxBlur(
  source: Float32Array,
  width: number,
  height: number,
  radius: number,
  target?: Float32Array,
): Float32Array {
  return boxMeans(source, width, height, [Math.max(0, Math.round(radius))], target);
}

/** Gaussian blur. Small ones by their kernel; others by three box blurs, on a reduced plane where σ allows it. */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array {
  if (sigma < 0.3) return allocateCopy(source);
  if (sigma <= widestKernel) return kernelBlur(source, width, height, sigma);
  return withArena(() => {
    const { plane, factor, ...small } = softBlur(source, width, height, sigma);
    return factor === 1 ? plane : enlarge(plane, small.width, small.height, width, height, factor);
  });
}

/** A plane at 1/factor of its size, to be read row by row as if it were whole. */
export interface SoftPlane extends Reduced {
  factor: number;
}

/** A Gaussian blur by box blurs that is left small: who needs it once, row by row, is spared a plane. */
export function softBlur(source: Float32Array, width: number, height: number, sigma: number): SoftPlane {
  const factor = sigma > 24 ? 8 : sigma > 10 ? 4 : sigma > 5 ? 2 : 1;
  return withArena(() => {
    const small = factor === 1 ? { plane: source, width, height } : reduce(source, width, height, factor);
    const plane = boxMeans(small.plane, small.width, small.height, threeRadii(sigma / factor));
    return { plane, width: small.width, height: small.height, factor };
  });
}

/** Radii of three box means, of two widths, whose variances add up to the Gaussian's. */
function threeRadii(sigma: number): number[] {
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  return [0, 1, 2].map((pass) => (narrows > pass ? narrow : narrow + 1));
}

export interface Reduced {
  plane: Float32Array;
  width: number;
  height: number;
}

/** The plane at 1/factor of its size, each value the mean of its square. */
export function reduce(source: Float32Array, width: number, height: number, factor: number): Reduced {
  const w = Math.ceil(width / factor);
  const h = Math.ceil(height / factor);
  const even = factor === 2 && width % 2 === 0 && height % 2 === 0;
  const plane = withArena(() => {
    const small = allocate(w * h);
    if (even) forRows(halveRows, h, { source, width }, { small });
    else forRows(reduceRows, h, { source, width, height, factor }, { small });
    return small;
  });
  return { plane, width: w, height: h };
}

export function reduceRows(
  { source, width, height, factor }: { source: Float32Array; width: number; height: number; factor: number },
  { small }: { small: Float32Array },
  from: number,
  until: number,
): void {
  const w = Math.ceil(width / factor);
  const whole = Math.floor(width / factor);
  const sums = new Float32Array(w);
  for (let y = from; y < until; y++) {
    const to = Math.min(height, (y + 1) * factor);
    sums.fill(0);
    for (let sy = y * factor; sy < to; sy++) {
      let at = sy * width;
      for (let x = 0; x < whole; x++) {
        let sum = 0;
        for (let k = 0; k < factor; k++) sum += source[at++]!;
        sums[x] = sums[x]! + sum;
      }
      if (whole < w) {
        let sum = 0;
        const rest = width - whole * factor;
        for (let k = 0; k < rest; k++) sum += source[at++]!;
        sums[whole] = sums[whole]! + (sum * factor) / rest;
      }
    }
    const share = 1 / (factor * (to - y * factor));
    for (let x = 0, i = y * w; x < w; x++, i++) small[i] = sums[x]! * share;
  }
}

/** `reduceRows` by two for even sides, without a loop over the square. */
export function halveRows(
  { source, width }: { source: Float32Array; width: number },
  { small }: { small: Float32Array },
  from: number,
  until: number,
): void {
  const w = width / 2;
  for (let y = from, to = from * w; y < until; y++) {
    let upper = 2 * y * width;
    let lower = upper + width;
    for (let x = 0; x < w; x++, to++, upper += 2, lower += 2) {
      small[to] = (source[upper]! + source[upper + 1]! + source[lower]! + source[lower + 1]!) * 0.25;
    }
  }
}

/** Bilinear enlargement of what `reduce` made, back to its first size. */
export function enlarge(
  source: Float32Array,
  sourceWidth: number,
  sourceHeight: number,
  width: number,
  height: number,
  factor: number,
): Float32Array {
  return withArena(() => {
    const target = allocate(width * height);
    const small = { plane: source, width: sourceWidth, height: sourceHeight, factor };
    forRows(enlargeRows, height, { small, width }, { target });
    return target;
  });
}

export function enlargeRows(
  { small, width }: { small: SoftPlane; width: number },
  { target }: { target: Float32Array },
  from: number,
  to: number,
): void {
  for (let y = from; y < to; y++) softRow(small, y, target, y * width, width);
}

/** Row y of the enlargement, to `width` places of the target from `start` on. */
export function softRow(
  { plane, width, height, factor }: SoftPlane,
  y: number,
  target: Float32Array,
  start: number,
  targetWidth: number,
): void {
  const at = Math.min(height - 1, Math.max(0, (y + 0.5) / factor - 0.5));
  const line = Math.max(0, Math.min(height - 2, at | 0));
  const down = at - line;
  const upper = line * width;
  const lower = height > 1 ? upper + width : upper;
  // One row between two source rows first, then across: half the reads of doing both per pixel.
  const between = betweenOf(width + 1);
  for (let x = 0; x < width; x++) {
    const a = plane[upper + x]!;
    between[x] = a + (plane[lower + x]! - a) * down;
  }
  between[width] = between[width - 1]!;
  if (factor === 2) doubleRow(between, target, start, targetWidth);
  else widenRow(between, width - 1, factor, target, start, targetWidth);
}

let betweenRows = new Float32Array(0);

/** A row to work in, the same one every time. */
function betweenOf(length: number): Float32Array {
  if (betweenRows.length < length) betweenRows = new Float32Array(length);
  return betweenRows;
}

/** `widenRow` by two, without a loop over the two. */
function doubleRow(values: Float32Array, target: Float32Array, start: number, width: number): void {
  target[start] = values[0]!;
  let i = start + 1;
  let a = values[0]!;
  for (let column = 1; i < start + width - 1; column++, i += 2) {
    const b = values[column]!;
    target[i] = a * 0.75 + b * 0.25;
    target[i + 1] = a * 0.25 + b * 0.75;
    a = b;
  }
  if (i < start + width) target[i] = a;
}

/** Between two values `factor` others, evenly; before the first and after the last one, those themselves. */
function widenRow(
  values: Float32Array,
  last: number,
  factor: number,
  target: Float32Array,
  start: number,
  width: number,
): void {
  const end = start + width;
  const first = factor / 2;
  // The middles of a value and of a pixel meet only when the factor is odd.
  const shift = factor % 2 === 0 ? 0.5 / factor : 0;
  const step = 1 / factor;
  let i = start;
  for (const stop = Math.min(end, start + Math.floor(first)); i < stop; i++) target[i] = values[0]!;
  for (let column = 0; column <= last && i < end; column++) {
    const a = values[column]!;
    const slope = (values[column + 1]! - a) * step;
    let value = a + (values[column + 1]! - a) * shift;
    for (const stop = Math.min(end, i + factor); i < stop; i++) {
      target[i] = value;
      value += slope;
    }
  }
  for (; i < end; i++) target[i] = values[last]!;
}

/** The value of a reduced plane at a pixel of the plane it was made from, bilinear. */
export function readReduced({ plane, width, height }: Reduced, factor: number, x: number, y: number): number {
  const u = Math.min(width - 1, Math.max(0, (x + 0.5) / factor - 0.5));
  const v = Math.min(height - 1, Math.max(0, (y + 0.5) / factor - 0.5));
  const left = Math.max(0, Math.min(width - 2, u | 0));
  const upper = Math.max(0, Math.min(height - 2, v | 0));
  const at = upper * width + left;
  const right = width > 1 ? 1 : 0;
  const down = height > 1 ? width : 0;
  const a = plane[at]! + (plane[at + right]! - plane[at]!) * (u - left);
  const b = plane[at + down]! + (plane[at + down + right]! - plane[at + down]!) * (u - left);
  return a + (b - a) * (v - upper);
}

/** A picture at 1/factor of its size. */
export function reducePicture(picture: Picture, factor: number): Picture {
  if (factor === 1) return picture;
  const small = picture.planes.map((plane) => reduce(plane, picture.width, picture.height, factor));
  return {
    width: small[0]!.width,
    height: small[0]!.height,
    planes: small.map((reduced) => reduced.plane) as Picture['planes'],
  };
}
