import type { Size } from '../../pixels/plane.ts';
import { randomFrom, shuffledNumbers } from '../../pixels/random.ts';
import { clamp } from '../../pixels/scalar.ts';

export interface Points {
  x: Float32Array;
  y: Float32Array;
  count: number;
}

export interface ScatterOptions {
  /** The smallest distance anywhere, in pixels. */
  smallest: number;
  /** The least distance from a point at this pixel to the next one. */
  distanceAt(pixel: number): number;
  seed: number;
  /** Pixels that are tried before all others, in this order. */
  first?: Int32Array;
}

/**
 * Fills an area with points that keep a local distance from each other (Poisson disc sampling by dart throwing). What
 * is already covered is marked on a grid of half the size.
 */
export function scatterPoints(
  { width, height }: Size,
  { smallest, distanceAt, seed, first = new Int32Array(0) }: ScatterOptions,
): Points {
  const random = randomFrom(seed);
  const columns = Math.ceil(width / 2);
  const rows = Math.ceil(height / 2);
  const covered = new Uint8Array(columns * rows);
  const step = Math.max(2, smallest * 0.5);
  const across = Math.ceil(width / step);
  const cells = shuffledNumbers(across * Math.ceil(height / step), random);
  const x = new Float32Array(cells.length + first.length);
  const y = new Float32Array(cells.length + first.length);
  let count = 0;
  const tryPoint = (px: number, py: number) => {
    if (covered[(py >> 1) * columns + (px >> 1)]) return;
    x[count] = px;
    y[count] = py;
    count++;
    const radius = distanceAt((py | 0) * width + (px | 0)) / 2;
    const top = Math.max(0, Math.ceil(py / 2 - radius));
    const bottom = Math.min(rows - 1, Math.floor(py / 2 + radius));
    for (let row = top; row <= bottom; row++) {
      const dy = row - py / 2;
      const half = Math.sqrt(Math.max(0, radius * radius - dy * dy));
      const left = Math.max(0, Math.ceil(px / 2 - half));
      const right = Math.min(columns - 1, Math.floor(px / 2 + half));
      if (right >= left) covered.fill(1, row * columns + left, row * columns + right + 1);
    }
  };
  for (const pixel of first) tryPoint(pixel % width, Math.floor(pixel / width));
  for (const cell of cells) {
    const px = clamp(((cell % across) + random()) * step, 0, width - 1);
    tryPoint(px, clamp((Math.floor(cell / across) + random()) * step, 0, height - 1));
  }
  return { x: x.subarray(0, count), y: y.subarray(0, count), count };
}
