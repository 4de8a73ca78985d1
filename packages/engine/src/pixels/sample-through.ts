import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Picture } from './picture.ts';
import { type Plane, planeOf, type Row, type Size } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** Turns and scales target pixels into source pixels: `x = a·u − b·v + x0`, `y = b·u + a·v + y0`. */
export interface Similarity {
  a: number;
  b: number;
  x0: number;
  y0: number;
}

/**
 * Reads a plane through a similarity, bilinear; where it shrinks, each target pixel is the mean of a grid of samples.
 * Samples beyond the border repeat it, or are `outside` when given.
 */
export function sampleThrough(plane: Plane, through: Similarity, size: Size, outside?: number): Plane {
  const [data] = sampleAll([plane.data], plane, through, size, outside);
  return planeOf(data!, size);
}

export function samplePictureThrough(
  picture: Picture,
  through: Similarity,
  size: Size,
  outside?: number,
): Picture {
  const [red, green, blue] = sampleAll(picture.planes, picture, through, size, outside);
  return { width: size.width, height: size.height, planes: [red!, green!, blue!] };
}

function sampleAll(
  planes: readonly Float32Array[],
  source: Size,
  through: Similarity,
  { width, height }: Size,
  outside: number | undefined,
): Float32Array[] {
  return withArena(() => {
    const targets = planes.map(() => allocate(width * height));
    const input = { planes, sourceWidth: source.width, sourceHeight: source.height, through, width, outside };
    forRows(sampleRows, height, input, { targets });
    return targets;
  });
}

interface Sampling {
  planes: readonly Float32Array[];
  sourceWidth: number;
  sourceHeight: number;
  through: Similarity;
  width: number;
  outside: number | undefined;
}

export function sampleRows(
  { planes, sourceWidth, sourceHeight, through, width, outside }: Sampling,
  { targets }: { targets: Float32Array[] },
  from: number,
  to: number,
): void {
  const { a, b, x0, y0 } = through;
  const grid = Math.max(1, Math.min(3, Math.round(0.8 * Math.hypot(a, b))));
  const lastX = sourceWidth - 1.001;
  const lastY = sourceHeight - 1.001;
  // A pixel is a square around its middle: the outermost half of it still belongs to the source.
  const [mostX, mostY] = [sourceWidth - 0.5, sourceHeight - 0.5];
  // Where each sample lies is worked out once, then every plane is read there; without a turn, columns for all rows.
  const perPixel = grid * grid;
  const at = new Int32Array(perPixel * width);
  const column = new Int32Array(at.length);
  const fx = new Float32Array(at.length);
  const fy = new Float32Array(at.length);
  const samples = { at, fx, fy, perPixel, width, outside: outside ?? 0 };
  for (let v = from; v < to; v++) {
    for (let j = 0; j < grid; j++) {
      const dv = v + (j + 0.5) / grid - 0.5;
      for (let k = 0; k < grid; k++) {
        const shift = (k + 0.5) / grid - 0.5;
        const known = b === 0 && v > from;
        for (let u = 0, n = j * grid + k; u < width; u++, n += perPixel) {
          if (!known) {
            const x = a * (u + shift) - b * dv + x0;
            const px = x < 0 ? 0 : x > lastX ? lastX : x;
            column[n] = outside !== undefined && (x < -0.5 || x > mostX) ? -1 : px | 0;
            fx[n] = px - (px | 0);
          }
          const y = b * (u + shift) + a * dv + y0;
          if (column[n]! < 0 || (outside !== undefined && (y < -0.5 || y > mostY))) {
            at[n] = -1;
            continue;
          }
          const py = y < 0 ? 0 : y > lastY ? lastY : y;
          const row = py | 0;
          at[n] = row * sourceWidth + column[n]!;
          fy[n] = py - row;
        }
      }
    }
    for (let p = 0; p < planes.length; p++) {
      readSamples(planes[p]!, sourceWidth, samples, { data: targets[p]!, start: v * width });
    }
  }
}

/** Where the samples of one target row lie; those of a pixel follow one another. */
interface Samples {
  /** The source pixel above and to the left; −1 outside. */
  at: Int32Array;
  /** How far the sample is on the way to the next column and to the next row. */
  fx: Float32Array;
  fy: Float32Array;
  perPixel: number;
  /** Target pixels. */
  width: number;
  outside: number;
}

function readSamples(source: Float32Array, sourceWidth: number, samples: Samples, target: Row): void {
  const { at, fx, fy, perPixel, width, outside } = samples;
  const { data, start } = target;
  const share = 1 / perPixel;
  for (let u = 0, n = 0; u < width; u++) {
    let sum = 0;
    for (let k = 0; k < perPixel; k++, n++) {
      const i = at[n]!;
      if (i < 0) {
        sum += outside;
        continue;
      }
      const upper = source[i]! + (source[i + 1]! - source[i]!) * fx[n]!;
      const j = i + sourceWidth;
      const lower = source[j]! + (source[j + 1]! - source[j]!) * fx[n]!;
      sum += upper + (lower - upper) * fy[n]!;
    }
    data[start + u] = sum * share;
  }
}
