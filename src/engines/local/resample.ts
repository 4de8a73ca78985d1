import type { Planes } from './colour.ts';

/** A part of a plane, in its pixels; may be fractional and may reach beyond the borders, which repeat. */
export interface Window {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Taps {
  first: Int32Array;
  count: number;
  weights: Float32Array;
}

/** Scales a window of a plane to the given size: Lanczos (3 lobes), widened when it shrinks so that nothing aliases. */
export function resample(
  source: Float32Array,
  sourceWidth: number,
  sourceHeight: number,
  window: Window,
  width: number,
  height: number,
): Float32Array {
  const across = lanczosTaps(window.x, window.width, width);
  const down = lanczosTaps(window.y, window.height, height);
  const top = down.first[0]!;
  const bottom = down.first[height - 1]! + down.count;
  const rows = new Float32Array(width * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const from = clampIndex(y, sourceHeight) * sourceWidth;
    const to = (y - top) * width;
    for (let x = 0; x < width; x++) {
      const first = across.first[x]!;
      const base = x * across.count;
      let sum = 0;
      if (first >= 0 && first + across.count <= sourceWidth) {
        for (let k = 0; k < across.count; k++) sum += source[from + first + k]! * across.weights[base + k]!;
      } else {
        for (let k = 0; k < across.count; k++) {
          sum += source[from + clampIndex(first + k, sourceWidth)]! * across.weights[base + k]!;
        }
      }
      rows[to + x] = sum;
    }
  }
  const target = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const to = y * width;
    for (let k = 0; k < down.count; k++) {
      const weight = down.weights[y * down.count + k]!;
      if (weight === 0) continue;
      const from = (down.first[y]! + k - top) * width;
      for (let x = 0; x < width; x++) target[to + x] = target[to + x]! + rows[from + x]! * weight;
    }
  }
  return target;
}

export function resamplePlanes(
  planes: Planes,
  sourceWidth: number,
  sourceHeight: number,
  window: Window,
  width: number,
  height: number,
): Planes {
  return planes.map((plane) => resample(plane, sourceWidth, sourceHeight, window, width, height)) as Planes;
}

function clampIndex(index: number, length: number): number {
  return index < 0 ? 0 : index >= length ? length - 1 : index;
}

function lanczosTaps(start: number, length: number, count: number): Taps {
  const step = length / count;
  const widening = Math.max(1, step);
  const reach = 3 * widening;
  const taps = Math.ceil(2 * reach) + 1;
  const first = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let i = 0; i < count; i++) {
    const center = start + (i + 0.5) * step - 0.5;
    const from = Math.ceil(center - reach);
    first[i] = from;
    let total = 0;
    for (let k = 0; k < taps; k++) {
      const weight = lanczos((from + k - center) / widening);
      weights[i * taps + k] = weight;
      total += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k] = weights[i * taps + k]! / total;
  }
  return { first, count: taps, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (x <= -3 || x >= 3) return 0;
  const p = Math.PI * x;
  return (3 * Math.sin(p) * Math.sin(p / 3)) / (p * p);
}

/** Turns and scales target pixels into source pixels: `x = a·u − b·v + x0`, `y = b·u + a·v + y0`. */
export interface Similarity {
  a: number;
  b: number;
  x0: number;
  y0: number;
}

/**
 * Reads planes through a similarity, bilinear; where it shrinks, each target pixel is the mean of a grid of samples.
 * Samples beyond the border repeat it, or are `outside` when given.
 */
export function sampleThrough(
  source: Float32Array,
  sourceWidth: number,
  sourceHeight: number,
  through: Similarity,
  width: number,
  height: number,
  outside?: number,
): Float32Array {
  const { a, b, x0, y0 } = through;
  const grid = Math.max(1, Math.min(6, Math.round(Math.hypot(a, b))));
  const share = 1 / (grid * grid);
  const target = new Float32Array(width * height);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      let sum = 0;
      for (let j = 0; j < grid; j++) {
        const dv = v + (j + 0.5) / grid - 0.5;
        for (let k = 0; k < grid; k++) {
          const du = u + (k + 0.5) / grid - 0.5;
          const x = a * du - b * dv + x0;
          const y = b * du + a * dv + y0;
          if (outside !== undefined && (x < 0 || y < 0 || x > sourceWidth - 1 || y > sourceHeight - 1)) {
            sum += outside;
            continue;
          }
          const px = x < 0 ? 0 : x > sourceWidth - 1.001 ? sourceWidth - 1.001 : x;
          const py = y < 0 ? 0 : y > sourceHeight - 1.001 ? sourceHeight - 1.001 : y;
          const left = px | 0;
          const upper = py | 0;
          const fx = px - left;
          const at = upper * sourceWidth + left;
          const high = source[at]! + (source[at + 1]! - source[at]!) * fx;
          const low =
            source[at + sourceWidth]! + (source[at + sourceWidth + 1]! - source[at + sourceWidth]!) * fx;
          sum += high + (low - high) * (py - upper);
        }
      }
      target[v * width + u] = sum * share;
    }
  }
  return target;
}
