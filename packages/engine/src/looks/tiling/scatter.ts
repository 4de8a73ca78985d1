import { randomFrom } from '../../pixels/random.ts';
import { clamp } from '../../pixels/scalar.ts';

export interface Spots {
  x: Float32Array;
  y: Float32Array;
  count: number;
}

/**
 * Spots no nearer to each other than their local distance, filling the picture: darts thrown in random order on a grid
 * that remembers, at half size, what is already taken.
 */
export function scatter(
  width: number,
  height: number,
  smallest: number,
  distanceAt: (pixel: number) => number,
  seed: number,
  /** Pixels tried before all others, in this order. */
  first: Int32Array = new Int32Array(0),
): Spots {
  const random = randomFrom(seed);
  const columns = Math.ceil(width / 2);
  const rows = Math.ceil(height / 2);
  const taken = new Uint8Array(columns * rows);
  const step = Math.max(2, smallest * 0.5);
  const across = Math.ceil(width / step);
  const cells = Int32Array.from({ length: across * Math.ceil(height / step) }, (_, i) => i);
  for (let i = cells.length - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    const kept = cells[i]!;
    cells[i] = cells[j]!;
    cells[j] = kept;
  }
  const x = new Float32Array(cells.length + first.length);
  const y = new Float32Array(cells.length + first.length);
  let count = 0;
  const offer = (px: number, py: number) => {
    if (taken[(py >> 1) * columns + (px >> 1)]) return;
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
      if (right >= left) taken.fill(1, row * columns + left, row * columns + right + 1);
    }
  };
  for (const pixel of first) offer(pixel % width, Math.floor(pixel / width));
  for (const cell of cells) {
    const px = clamp(((cell % across) + random()) * step, 0, width - 1);
    offer(px, clamp((Math.floor(cell / across) + random()) * step, 0, height - 1));
  }
  return { x: x.subarray(0, count), y: y.subarray(0, count), count };
}
