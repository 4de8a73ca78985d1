import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Planes } from './picture.ts';

const forRows = rowsOf(import.meta.url);

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

/** Scales a window of a plane to the given size: Catmull-Rom, widened when it shrinks so that nothing aliases. */
export function resample(
  source: Float32Array,
  sourceWidth: number,
  sourceHeight: number,
  window: Window,
  width: number,
  height: number,
): Float32Array {
  const across = tapsOf(window.x, window.width, width);
  const down = tapsOf(window.y, window.height, height);
  const top = down.first[0]!;
  const bottom = down.first[height - 1]! + down.count;
  // Threads get no more of the source than is read.
  const firstRow = clampIndex(top, sourceHeight);
  const read = source.subarray(
    firstRow * sourceWidth,
    (clampIndex(bottom - 1, sourceHeight) + 1) * sourceWidth,
  );
  return withArena(() => {
    const rows = allocate(width * (bottom - top));
    forRows(
      resampleAcross,
      bottom - top,
      {
        source: read,
        sourceWidth,
        sourceHeight: read.length / sourceWidth,
        across,
        width,
        top: top - firstRow,
      },
      { rows },
    );
    const target = allocate(width * height);
    forRows(resampleDown, height, { rows, down, width, top }, { target });
    return target;
  });
}

interface Across {
  source: Float32Array;
  sourceWidth: number;
  sourceHeight: number;
  across: Taps;
  width: number;
  /** The first source row that is needed; may lie outside. */
  top: number;
}

export function resampleAcross(
  { source, sourceWidth, sourceHeight, across, width, top }: Across,
  { rows }: { rows: Float32Array },
  begin: number,
  until: number,
): void {
  const { first, count, weights } = across;
  // Columns whose taps all lie inside the source need no care; those whose taps all lie beyond it repeat its border.
  let inner = 0;
  while (inner < width && first[inner]! < 0) inner++;
  let end = width;
  while (end > inner && first[end - 1]! + count > sourceWidth) end--;
  let left = 0;
  while (left < inner && first[left]! + count <= 1) left++;
  let right = width;
  while (right > end && first[right - 1]! >= sourceWidth - 1) right--;
  let done = -1;
  for (let y = begin; y < until; y++) {
    const line = clampIndex(y + top, sourceHeight);
    const from = line * sourceWidth;
    const to = y * width;
    if (line === done) {
      rows.copyWithin(to, to - width, to);
      continue;
    }
    done = line;
    rows.fill(source[from]!, to, to + left);
    for (let x = left; x < inner; x++) rows[to + x] = atBorder(source, from, sourceWidth, across, x);
    if (count === 4) fourTaps(source, from, first, weights, inner, end, rows, to);
    else manyTaps(source, from, across, inner, end, rows, to);
    for (let x = end; x < right; x++) rows[to + x] = atBorder(source, from, sourceWidth, across, x);
    rows.fill(source[from + sourceWidth - 1]!, to + right, to + width);
  }
}

function atBorder(
  source: Float32Array,
  from: number,
  sourceWidth: number,
  { first, count, weights }: Taps,
  x: number,
): number {
  let sum = 0;
  for (let k = 0; k < count; k++)
    sum += source[from + clampIndex(first[x]! + k, sourceWidth)]! * weights[x * count + k]!;
  return sum;
}

export function resampleDown(
  { rows, down, width, top }: { rows: Float32Array; down: Taps; width: number; top: number },
  { target }: { target: Float32Array },
  begin: number,
  until: number,
): void {
  if (down.count === 4) {
    fourRows(rows, width, top, down, target, begin, until);
    return;
  }
  target.fill(0, begin * width, until * width);
  for (let y = begin; y < until; y++) {
    const to = y * width;
    for (let k = 0; k < down.count; k++) {
      const weight = down.weights[y * down.count + k]!;
      if (weight === 0) continue;
      const from = (down.first[y]! + k - top) * width;
      for (let x = 0; x < width; x++) target[to + x] = target[to + x]! + rows[from + x]! * weight;
    }
  }
}

function fourTaps(
  source: Float32Array,
  from: number,
  first: Int32Array,
  weights: Float32Array,
  begin: number,
  end: number,
  rows: Float32Array,
  to: number,
): void {
  for (let x = begin; x < end; x++) {
    const at = from + first[x]!;
    const w = 4 * x;
    rows[to + x] =
      source[at]! * weights[w]! +
      source[at + 1]! * weights[w + 1]! +
      source[at + 2]! * weights[w + 2]! +
      source[at + 3]! * weights[w + 3]!;
  }
}

function fourRows(
  rows: Float32Array,
  width: number,
  top: number,
  { first, weights }: Taps,
  target: Float32Array,
  begin: number,
  until: number,
): void {
  for (let y = begin; y < until; y++) {
    const a = weights[4 * y]!;
    const b = weights[4 * y + 1]!;
    const c = weights[4 * y + 2]!;
    const d = weights[4 * y + 3]!;
    let i = (first[y]! - top) * width;
    for (let to = y * width; to < (y + 1) * width; to++, i++) {
      target[to] = rows[i]! * a + rows[i + width]! * b + rows[i + 2 * width]! * c + rows[i + 3 * width]! * d;
    }
  }
}

function manyTaps(
  source: Float32Array,
  from: number,
  { first, count, weights }: Taps,
  begin: number,
  end: number,
  rows: Float32Array,
  to: number,
): void {
  for (let x = begin; x < end; x++) {
    const at = from + first[x]!;
    const w = count * x;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += source[at + k]! * weights[w + k]!;
    rows[to + x] = sum;
  }
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

function tapsOf(start: number, length: number, count: number): Taps {
  const step = length / count;
  // Up to a third smaller, the kernel as it is stays sharper and aliases less than photos' own grain shows.
  const widening = step < 1.35 ? 1 : step;
  const reach = 2 * widening;
  const taps = Math.ceil(2 * reach);
  const first = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let i = 0; i < count; i++) {
    const center = start + (i + 0.5) * step - 0.5;
    const from = Math.floor(center - reach) + 1;
    first[i] = from;
    let total = 0;
    for (let k = 0; k < taps; k++) {
      const weight = catmullRom((from + k - center) / widening);
      weights[i * taps + k] = weight;
      total += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k] = weights[i * taps + k]! / total;
  }
  return { first, count: taps, weights };
}

function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? 1 + x * x * (1.5 * x - 2.5) : 2 + x * (-4 + x * (2.5 - 0.5 * x));
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
export function sampleThrough<P extends Float32Array[]>(
  planes: P,
  sourceWidth: number,
  sourceHeight: number,
  through: Similarity,
  width: number,
  height: number,
  outside?: number,
): P {
  return withArena(() => {
    const targets = planes.map(() => allocate(width * height)) as P;
    const input = { planes, sourceWidth, sourceHeight, through, width, outside };
    forRows(sampleRows, height, input, { targets });
    return targets;
  });
}

interface Sampling {
  planes: Float32Array[];
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
  const share = 1 / (grid * grid);
  const lastX = sourceWidth - 1.001;
  const lastY = sourceHeight - 1.001;
  // A pixel is a square around its middle: the outermost half of it still belongs to the source.
  const [mostX, mostY] = [sourceWidth - 0.5, sourceHeight - 0.5];
  // Where each sample lies is worked out once, then every plane is read there; without a turn, columns for all rows.
  const samples = grid * grid;
  const at = new Int32Array(samples * width);
  const column = new Int32Array(at.length);
  const fx = new Float32Array(at.length);
  const fy = new Float32Array(at.length);
  for (let v = from; v < to; v++) {
    for (let j = 0; j < grid; j++) {
      const dv = v + (j + 0.5) / grid - 0.5;
      for (let k = 0; k < grid; k++) {
        const shift = (k + 0.5) / grid - 0.5;
        const known = b === 0 && v > from;
        for (let u = 0, n = j * grid + k; u < width; u++, n += samples) {
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
      const target = targets[p]!;
      readRow(planes[p]!, sourceWidth, at, fx, fy, samples, share, outside ?? 0, target, v * width, width);
    }
  }
}

function readRow(
  source: Float32Array,
  sourceWidth: number,
  at: Int32Array,
  fx: Float32Array,
  fy: Float32Array,
  samples: number,
  share: number,
  outside: number,
  target: Float32Array,
  to: number,
  width: number,
): void {
  for (let u = 0, n = 0; u < width; u++) {
    let sum = 0;
    for (let k = 0; k < samples; k++, n++) {
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
    target[to + u] = sum * share;
  }
}
