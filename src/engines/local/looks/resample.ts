import type { Picture } from '../picture.ts';
import { gaussian } from './blur.ts';
import { channel, newPlane, type Plane } from './plane.ts';

/** Averages blocks of `factor` × `factor` pixels; the last block may be cut. */
export function shrink(source: Plane, factor: number): Plane {
  const { width, data } = source;
  const result = newPlane(Math.ceil(width / factor), Math.ceil(source.height / factor));
  if (factor === 2 && width % 2 === 0 && source.height % 2 === 0) {
    halve(source, result);
    return result;
  }
  for (let y = 0; y < result.height; y++) {
    const bottom = Math.min(source.height, (y + 1) * factor);
    for (let x = 0; x < result.width; x++) {
      const right = Math.min(width, (x + 1) * factor);
      let sum = 0;
      for (let sy = y * factor; sy < bottom; sy++)
        for (let sx = x * factor; sx < right; sx++) sum += data[sy * width + sx]!;
      result.data[y * result.width + x] = sum / ((bottom - y * factor) * (right - x * factor));
    }
  }
  return result;
}

/** The common case without inner loops. */
function halve({ width, data }: Plane, result: Plane): void {
  const out = result.data;
  for (let y = 0, o = 0; y < result.height; y++) {
    let above = 2 * y * width;
    let below = above + width;
    for (let x = 0; x < result.width; x++, o++, above += 2, below += 2) {
      out[o] = (data[above]! + data[above + 1]! + data[below]! + data[below + 1]!) * 0.25;
    }
  }
}

/** The way back from `shrink`, bilinear, block centres in place. */
export function enlarge(source: Plane, width: number, height: number, factor: number): Plane {
  const result = newPlane(width, height);
  const left = new Int32Array(width);
  const right = new Int32Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const at = Math.min(source.width - 1, Math.max(0, (x + 0.5) / factor - 0.5));
    left[x] = Math.floor(at);
    right[x] = Math.min(source.width - 1, left[x]! + 1);
    share[x] = at - left[x]!;
  }
  const row = new Float32Array(source.width);
  for (let y = 0; y < height; y++) {
    const at = Math.min(source.height - 1, Math.max(0, (y + 0.5) / factor - 0.5));
    const top = Math.floor(at);
    const below = Math.min(source.height - 1, top + 1) * source.width;
    const above = top * source.width;
    const down = at - top;
    for (let x = 0; x < source.width; x++) {
      row[x] = source.data[above + x]! + (source.data[below + x]! - source.data[above + x]!) * down;
    }
    if (factor === 2 && width === 2 * source.width) {
      doubleRow(row, result.data, y * width);
      continue;
    }
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const a = row[left[x]!]!;
      result.data[i] = a + (row[right[x]!]! - a) * share[x]!;
    }
  }
  return result;
}

/** One row at twice its length: between two samples a quarter and three quarters of the way. */
function doubleRow(row: Float32Array, out: Float32Array, at: number): void {
  const last = row.length - 1;
  let o = at;
  let before = row[0]!;
  let here = before;
  for (let x = 0; x <= last; x++) {
    const after = row[x < last ? x + 1 : last]!;
    out[o++] = 0.75 * here + 0.25 * before;
    out[o++] = 0.75 * here + 0.25 * after;
    before = here;
    here = after;
  }
}

/** A wide blur at a size where it is cheap. */
export function wideBlur(source: Plane, sigma: number): Plane {
  const factor = sigma > 24 ? 8 : sigma > 10 ? 4 : sigma > 5 ? 2 : 1;
  if (factor === 1) return gaussian(source, sigma);
  return enlarge(gaussian(shrink(source, factor), sigma / factor), source.width, source.height, factor);
}

export function shrinkPicture(picture: Picture, factor: number): Picture {
  const [red, green, blue] = ([0, 1, 2] as const).map((index) => shrink(channel(picture, index), factor));
  return {
    width: red!.width,
    height: red!.height,
    planes: [red!.data, green!.data, blue!.data],
  };
}

export function enlargePicture(picture: Picture, width: number, height: number, factor: number): Picture {
  const [red, green, blue] = ([0, 1, 2] as const).map(
    (index) => enlarge(channel(picture, index), width, height, factor).data,
  );
  return { width, height, planes: [red!, green!, blue!] };
}
