import type { Picture } from './picture.ts';
import { rowsOf } from './rows.ts';
import { copyOf, floats, scratch } from './scratch.ts';

const forRows = rowsOf(import.meta.url);

/** Mean over a square of side 2r+1, whose window shrinks at the borders; cost does not grow with r. */
export function boxBlur(
  source: Float32Array,
  width: number,
  height: number,
  radius: number,
  target?: Float32Array,
  /** Room that callers had to bring once; there is always some now. */
  _room?: Float32Array,
): Float32Array {
  return boxes(source, width, height, [Math.max(0, Math.round(radius))], target);
}

/** Gaussian blur. Below σ 2 by its kernel; above by three box blurs, on a reduced plane where σ allows it. */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array {
  if (sigma < 0.3) return copyOf(source);
  if (sigma < 2) return kernelBlur(source, width, height, sigma);
  const factor = sigma > 24 ? 8 : sigma > 10 ? 4 : sigma > 5 ? 2 : 1;
  if (factor === 1) return boxes(source, width, height, threeRadii(sigma));
  return scratch(() => {
    const small = reduce(source, width, height, factor);
    const blurred = boxes(small.plane, small.width, small.height, threeRadii(sigma / factor));
    return enlarge(blurred, small.width, small.height, width, height, factor);
  });
}

/** Radii of three box means, of two widths, whose variances add up to the Gaussian's. */
function threeRadii(sigma: number): number[] {
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  return [0, 1, 2].map((pass) => (narrows > pass ? narrow : narrow + 1));
}

/** Box means one after the other: all of them along the rows, where a row stays in the cache, then all down. */
function boxes(
  source: Float32Array,
  width: number,
  height: number,
  radii: readonly number[],
  target?: Float32Array,
): Float32Array {
  return scratch(() => {
    const rows = floats(source.length);
    const out = floats(source.length);
    forRows(boxesAcross, height, { source, width, radii }, { rows });
    forRows(boxesDown, width, { rows, width, height, radii }, { out });
    if (!target) return out;
    target.set(out);
    return target;
  });
}

export function boxesAcross(
  { source, width, radii }: { source: Float32Array; width: number; radii: readonly number[] },
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const [first, second] = [new Float32Array(width), new Float32Array(width)];
  const last = radii.length - 1;
  for (let y = from; y < to; y++) {
    const at = y * width;
    slide(source, at, radii[0]!, last === 0 ? rows : first, last === 0 ? at : 0, width);
    if (last === 0) continue;
    slide(first, 0, radii[1]!, second, 0, width);
    slide(second, 0, radii[2]!, rows, at, width);
  }
}

/** A running mean along one row. */
function slide(
  source: Float32Array,
  start: number,
  r: number,
  target: Float32Array,
  to: number,
  width: number,
): void {
  // Columns whose whole window lies inside the row; the ones beside them divide by what is left of it.
  const inner = Math.min(width, r + 1);
  const outer = Math.max(inner, width - r);
  const whole = 1 / (2 * r + 1);
  let sum = 0;
  for (let x = 0; x < Math.min(r, width); x++) sum += source[start + x]!;
  for (let x = 0; x < inner; x++) {
    if (x + r < width) sum += source[start + x + r]!;
    target[to + x] = sum / (Math.min(width - 1, x + r) + 1);
  }
  for (let x = inner, i = start + inner; x < outer; x++, i++) {
    sum += source[i + r]! - source[i - r - 1]!;
    target[to + x] = sum * whole;
  }
  for (let x = outer; x < width; x++) {
    sum -= source[start + x - r - 1]!;
    target[to + x] = sum / (width - x + r);
  }
}

/** Columns that go down together: what lies between two means of them stays in the cache. */
const strip = 32;

export function boxesDown(
  {
    rows,
    width,
    height,
    radii,
  }: { rows: Float32Array; width: number; height: number; radii: readonly number[] },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const last = radii.length - 1;
  const between = last === 0 ? [] : [new Float32Array(strip * height), new Float32Array(strip * height)];
  for (let x = from; x < to; x += strip) {
    const columns = Math.min(strip, to - x);
    if (last === 0) {
      sink(rows, x, width, radii[0]!, out, x, width, columns, height);
      continue;
    }
    const [first, second] = between as [Float32Array, Float32Array];
    sink(rows, x, width, radii[0]!, first, 0, strip, columns, height);
    sink(first, 0, strip, radii[1]!, second, 0, strip, columns, height);
    sink(second, 0, strip, radii[2]!, out, x, width, columns, height);
  }
}

/** Running means down a strip of columns. */
function sink(
  source: Float32Array,
  start: number,
  stride: number,
  r: number,
  target: Float32Array,
  to: number,
  targetStride: number,
  columns: number,
  height: number,
): void {
  const sums = new Float64Array(columns);
  for (let y = 0; y < Math.min(r, height); y++) {
    for (let x = 0, i = start + y * stride; x < columns; x++, i++) sums[x] = sums[x]! + source[i]!;
  }
  for (let y = 0; y < height; y++) {
    const enters = y + r < height;
    const leaves = y - r - 1 >= 0;
    const share = 1 / (Math.min(height - 1, y + r) - Math.max(0, y - r) + 1);
    let i = to + y * targetStride;
    let below = start + (y + r) * stride;
    let above = start + (y - r - 1) * stride;
    if (enters && leaves) {
      for (let x = 0; x < columns; x++, i++, below++, above++) {
        const sum = sums[x]! + source[below]! - source[above]!;
        sums[x] = sum;
        target[i] = sum * share;
      }
      continue;
    }
    if (enters) for (let x = 0; x < columns; x++, below++) sums[x] = sums[x]! + source[below]!;
    if (leaves) for (let x = 0; x < columns; x++, above++) sums[x] = sums[x]! - source[above]!;
    for (let x = 0; x < columns; x++, i++) target[i] = sums[x]! * share;
  }
}

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
function kernelBlur(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
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
  const plane = scratch(() => {
    const small = floats(w * h);
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

interface Enlargement {
  source: Float32Array;
  sourceWidth: number;
  sourceHeight: number;
  width: number;
  factor: number;
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
  return scratch(() => {
    const target = floats(width * height);
    forRows(enlargeRows, height, { source, sourceWidth, sourceHeight, width, factor }, { target });
    return target;
  });
}

export function enlargeRows(
  { source, sourceWidth, sourceHeight, width, factor }: Enlargement,
  { target }: { target: Float32Array },
  from: number,
  to: number,
): void {
  // One row between two source rows first, then across: half the reads of doing both per pixel.
  const between = new Float32Array(sourceWidth + 1);
  for (let y = from; y < to; y++) {
    const at = Math.min(sourceHeight - 1, Math.max(0, (y + 0.5) / factor - 0.5));
    const line = Math.max(0, Math.min(sourceHeight - 2, at | 0));
    const down = at - line;
    const upper = line * sourceWidth;
    const lower = sourceHeight > 1 ? upper + sourceWidth : upper;
    for (let x = 0; x < sourceWidth; x++) {
      const a = source[upper + x]!;
      between[x] = a + (source[lower + x]! - a) * down;
    }
    between[sourceWidth] = between[sourceWidth - 1]!;
    widenRow(between, factor, target, y * width, width);
  }
}

/** Between two values `factor` others, evenly; before the first and after the last one, those themselves. */
function widenRow(
  values: Float32Array,
  factor: number,
  target: Float32Array,
  start: number,
  width: number,
): void {
  const end = start + width;
  const last = values.length - 2;
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
