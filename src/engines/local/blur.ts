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
    if (y + r < height) {
      for (let x = 0, i = (y + r) * width; x < width; x++, i++) column[x] = column[x]! + rows[i]!;
    }
    if (y - r - 1 >= 0) {
      for (let x = 0, i = (y - r - 1) * width; x < width; x++, i++) column[x] = column[x]! - rows[i]!;
    }
    const share = 1 / (Math.min(height - 1, y + r) - Math.max(0, y - r) + 1);
    for (let x = 0, i = y * width; x < width; x++, i++) target[i] = column[x]! * share;
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

function threeBoxes(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const radius = Math.max(1, Math.round(Math.sqrt(4 * sigma * sigma + 1) / 2 - 0.5));
  const rows = new Float32Array(source.length);
  const first = new Float32Array(source.length);
  const second = new Float32Array(source.length);
  boxBlur(source, width, height, radius, first, rows);
  boxBlur(first, width, height, radius, second, rows);
  return boxBlur(second, width, height, radius, first, rows);
}

function kernelBlur(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const reach = Math.ceil(sigma * 2.5);
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < kernel.length; i++) kernel[i] = kernel[i]! / total;
  const rows = new Float32Array(source.length);
  const from = Math.min(reach, width);
  const to = Math.max(from, width - reach);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const careful = (x: number) => {
      let sum = 0;
      for (let k = -reach; k <= reach; k++) {
        sum += source[row + Math.min(width - 1, Math.max(0, x + k))]! * kernel[k + reach]!;
      }
      rows[row + x] = sum;
    };
    for (let x = 0; x < from; x++) careful(x);
    for (let k = -reach; k <= reach; k++) {
      const weight = kernel[k + reach]!;
      for (let i = row + from; i < row + to; i++) rows[i] = rows[i]! + source[i + k]! * weight;
    }
    for (let x = to; x < width; x++) careful(x);
  }
  const target = new Float32Array(source.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let k = -reach; k <= reach; k++) {
      const from = Math.min(height - 1, Math.max(0, y + k)) * width;
      const weight = kernel[k + reach]!;
      for (let x = 0; x < width; x++) target[row + x] = target[row + x]! + rows[from + x]! * weight;
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
