import type { Picture } from './picture.ts';

/** Mean over a square of side 2r+1, whose window shrinks at the borders; cost does not grow with r. */
export function boxBlur(
  source: Float32Array,
  width: number,
  height: number,
  radius: number,
  target = new Float32Array(source.length),
  rows = new Float32Array(source.length),
): Float32Array {
  const r = Math.max(0, Math.round(radius));
  // Columns whose whole window lies inside the row; the ones beside them divide by what is left of it.
  const from = Math.min(width, r + 1);
  const to = Math.max(from, width - r);
  const whole = 1 / (2 * r + 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(r, width); x++) sum += source[row + x]!;
    for (let x = 0; x < from; x++) {
      if (x + r < width) sum += source[row + x + r]!;
      rows[row + x] = sum / (Math.min(width - 1, x + r) + 1);
    }
    for (let x = from, i = row + from; x < to; x++, i++) {
      sum += source[i + r]! - source[i - r - 1]!;
      rows[i] = sum * whole;
    }
    for (let x = to; x < width; x++) {
      sum -= source[row + x - r - 1]!;
      rows[row + x] = sum / (width - x + r);
    }
  }
  const column = new Float64Array(width);
  for (let y = 0; y < Math.min(r, height); y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) column[x] = column[x]! + rows[i]!;
  }
  for (let y = 0; y < height; y++) {
    const enters = y + r < height;
    const leaves = y - r - 1 >= 0;
    const share = 1 / (Math.min(height - 1, y + r) - Math.max(0, y - r) + 1);
    let i = y * width;
    let below = (y + r) * width;
    let above = (y - r - 1) * width;
    if (enters && leaves) {
      for (let x = 0; x < width; x++, i++, below++, above++) {
        const sum = column[x]! + rows[below]! - rows[above]!;
        column[x] = sum;
        target[i] = sum * share;
      }
      continue;
    }
    if (enters) for (let x = 0; x < width; x++, below++) column[x] = column[x]! + rows[below]!;
    if (leaves) for (let x = 0; x < width; x++, above++) column[x] = column[x]! - rows[above]!;
    for (let x = 0; x < width; x++, i++) target[i] = column[x]! * share;
  }
  return target;
}

/** Gaussian blur. Below σ 2 by its kernel; above by three box blurs, on a reduced plane where σ allows it. */
export function gaussianBlur(
  source: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array {
  if (sigma < 0.3) return source.slice();
  if (sigma < 2) return kernelBlur(source, width, height, sigma);
  const factor = sigma > 24 ? 8 : sigma > 10 ? 4 : sigma > 5 ? 2 : 1;
  if (factor === 1) return threeBoxes(source, width, height, sigma);
  const small = reduce(source, width, height, factor);
  const blurred = threeBoxes(small.plane, small.width, small.height, sigma / factor);
  return enlarge(blurred, small.width, small.height, width, height, factor);
}

/** Three box means of two widths whose variances add up to the Gaussian's. */
function threeBoxes(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  const radius = (pass: number) => (narrows > pass ? narrow : narrow + 1);
  const rows = new Float32Array(source.length);
  const first = new Float32Array(source.length);
  const second = new Float32Array(source.length);
  boxBlur(source, width, height, radius(0), first, rows);
  boxBlur(first, width, height, radius(1), second, rows);
  return boxBlur(second, width, height, radius(2), first, rows);
}

/** One side of a normalised Gaussian, the middle first; never shorter than the four taps that go in one step. */
function kernelOf(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(sigma * 2.8));
  const weights = new Float32Array(Math.max(4, reach + 1));
  let sum = 0;
  for (let i = 0; i <= reach; i++) {
    weights[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[i]! : 2 * weights[i]!;
  }
  for (let i = 0; i <= reach; i++) weights[i] = weights[i]! / sum;
  return weights;
}

/** The first four taps in one go, the rest one by one: no loop over taps inside the loop over pixels. */
function kernelBlur(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const weights = kernelOf(sigma);
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2]!, weights[3]!];
  const reach = weights.length - 1;
  const rows = new Float32Array(source.length);
  const padded = new Float32Array(width + 2 * reach);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    padded.fill(source[start]!, 0, reach);
    padded.set(source.subarray(start, start + width), reach);
    padded.fill(source[start + width - 1]!, reach + width);
    for (let x = 0, p = reach; x < width; x++, p++) {
      rows[start + x] =
        padded[p]! * w0 +
        (padded[p - 1]! + padded[p + 1]!) * w1 +
        (padded[p - 2]! + padded[p + 2]!) * w2 +
        (padded[p - 3]! + padded[p + 3]!) * w3;
    }
    for (let k = 4; k <= reach; k++) {
      const weight = weights[k]!;
      for (let x = 0, p = reach; x < width; x++, p++) {
        rows[start + x] = rows[start + x]! + (padded[p - k]! + padded[p + k]!) * weight;
      }
    }
  }
  const target = new Float32Array(source.length);
  const row = (y: number) => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = 0; y < height; y++) {
    const here = y * width;
    const [a1, a2, a3, b1, b2, b3] = [row(y - 1), row(y - 2), row(y - 3), row(y + 1), row(y + 2), row(y + 3)];
    for (let x = 0; x < width; x++) {
      target[here + x] =
        rows[here + x]! * w0 +
        (rows[a1 + x]! + rows[b1 + x]!) * w1 +
        (rows[a2 + x]! + rows[b2 + x]!) * w2 +
        (rows[a3 + x]! + rows[b3 + x]!) * w3;
    }
    for (let k = 4; k <= reach; k++) {
      const above = row(y - k);
      const below = row(y + k);
      const weight = weights[k]!;
      for (let x = 0; x < width; x++) {
        target[here + x] = target[here + x]! + (rows[above + x]! + rows[below + x]!) * weight;
      }
    }
  }
  return target;
}

export interface Reduced {
  plane: Float32Array;
  width: number;
  height: number;
}

/** The plane at 1/factor of its size, each value the mean of its square. */
export function reduce(source: Float32Array, width: number, height: number, factor: number): Reduced {
  if (factor === 2 && width % 2 === 0 && height % 2 === 0) return halve(source, width, height);
  const w = Math.ceil(width / factor);
  const h = Math.ceil(height / factor);
  const plane = new Float32Array(w * h);
  const whole = Math.floor(width / factor);
  for (let y = 0; y < h; y++) {
    const to = Math.min(height, (y + 1) * factor);
    const row = y * w;
    for (let sy = y * factor; sy < to; sy++) {
      let at = sy * width;
      for (let x = 0; x < whole; x++) {
        let sum = 0;
        for (let k = 0; k < factor; k++) sum += source[at++]!;
        plane[row + x] = plane[row + x]! + sum;
      }
      if (whole < w) {
        let sum = 0;
        const rest = width - whole * factor;
        for (let k = 0; k < rest; k++) sum += source[at++]!;
        plane[row + whole] = plane[row + whole]! + (sum * factor) / rest;
      }
    }
    const share = 1 / (factor * (to - y * factor));
    for (let x = 0; x < w; x++) plane[row + x] = plane[row + x]! * share;
  }
  return { plane, width: w, height: h };
}

/** `reduce` by two for even sides, without a loop over the square. */
function halve(source: Float32Array, width: number, height: number): Reduced {
  const w = width / 2;
  const h = height / 2;
  const plane = new Float32Array(w * h);
  for (let y = 0, to = 0; y < h; y++) {
    let upper = 2 * y * width;
    let lower = upper + width;
    for (let x = 0; x < w; x++, to++, upper += 2, lower += 2) {
      plane[to] = (source[upper]! + source[upper + 1]! + source[lower]! + source[lower + 1]!) * 0.25;
    }
  }
  return { plane, width: w, height: h };
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
  const target = new Float32Array(width * height);
  const column = new Int32Array(width);
  const across = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const at = Math.min(sourceWidth - 1, Math.max(0, (x + 0.5) / factor - 0.5));
    column[x] = Math.max(0, Math.min(sourceWidth - 2, at | 0));
    across[x] = at - column[x]!;
  }
  const step = sourceWidth > 1 ? 1 : 0;
  // One row between two source rows first, then across: half the reads of doing both per pixel.
  const between = new Float32Array(sourceWidth);
  for (let y = 0; y < height; y++) {
    const at = Math.min(sourceHeight - 1, Math.max(0, (y + 0.5) / factor - 0.5));
    const line = Math.max(0, Math.min(sourceHeight - 2, at | 0));
    const down = at - line;
    const upper = line * sourceWidth;
    const lower = sourceHeight > 1 ? upper + sourceWidth : upper;
    for (let x = 0; x < sourceWidth; x++) {
      const a = source[upper + x]!;
      between[x] = a + (source[lower + x]! - a) * down;
    }
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const c = column[x]!;
      const a = between[c]!;
      target[i] = a + (between[c + step]! - a) * across[x]!;
    }
  }
  return target;
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
