import type { Plane, Row, Size } from '@guise/engine/pixels/plane.ts';
import { allocate, withArena } from '@guise/engine/runtime/arena.ts';
import { rowsOf } from '@guise/engine/runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** A part of a plane, in its pixels; may be fractional and may reach beyond the borders, which repeat. */
export interface Window extends Size {
  x: number;
  y: number;
}

/** For each target column or row: the first source value it reads, and the weights of that and the next ones. */
interface Taps {
  first: Int32Array;
  count: number;
  weights: Float32Array;
}

/** Scales a window of a plane to a size: Catmull-Rom, widened where it shrinks so that nothing aliases. */
export function resample(plane: Plane, window: Window, { width, height }: Size): Plane {
  const across = tapsOf(window.x, window.width, width);
  const down = tapsOf(window.y, window.height, height);
  const top = down.first[0]!;
  const bottom = down.first[height - 1]! + down.count;
  // Threads get no more of the source than is read.
  const firstRow = clampIndex(top, plane.height);
  const lastRow = clampIndex(bottom - 1, plane.height);
  const source = {
    width: plane.width,
    height: lastRow + 1 - firstRow,
    data: plane.data.subarray(firstRow * plane.width, (lastRow + 1) * plane.width),
  };
  return withArena(() => {
    const rows = allocate(width * (bottom - top));
    forRows(resampleAcross, bottom - top, { source, across, width, top: top - firstRow }, { rows });
    const target = allocate(width * height);
    forRows(resampleDown, height, { rows, down, width, top }, { target });
    return { width, height, data: target };
  });
}

interface Across {
  source: Plane;
  across: Taps;
  width: number;
  /** The first source row that is needed; may lie outside. */
  top: number;
}

export function resampleAcross(
  { source: { data: source, width: sourceWidth, height: sourceHeight }, across, width, top }: Across,
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const { first, count } = across;
  // Columns whose taps all lie inside the source need no care; those whose taps all lie beyond it repeat its border.
  let inner = 0;
  while (inner < width && first[inner]! < 0) inner++;
  let outer = width;
  while (outer > inner && first[outer - 1]! + count > sourceWidth) outer--;
  let left = 0;
  while (left < inner && first[left]! + count <= 1) left++;
  let right = width;
  while (right > outer && first[right - 1]! >= sourceWidth - 1) right--;
  const inside = { from: inner, to: outer };
  let done = -1;
  for (let y = from; y < to; y++) {
    const line = clampIndex(y + top, sourceHeight);
    const start = y * width;
    if (line === done) {
      rows.copyWithin(start, start - width, start);
      continue;
    }
    done = line;
    const here = { data: source, start: line * sourceWidth };
    const target = { data: rows, start };
    rows.fill(source[here.start]!, start, start + left);
    for (let x = left; x < inner; x++) rows[start + x] = sumAtBorder(here, sourceWidth, across, x);
    if (count === 4) sumFour(here, across, inside, target);
    else sumMany(here, across, inside, target);
    for (let x = outer; x < right; x++) rows[start + x] = sumAtBorder(here, sourceWidth, across, x);
    rows.fill(source[here.start + sourceWidth - 1]!, start + right, start + width);
  }
}

function sumAtBorder(
  { data, start }: Row,
  width: number,
  { first, count, weights }: Taps,
  x: number,
): number {
  let sum = 0;
  for (let k = 0; k < count; k++)
    sum += data[start + clampIndex(first[x]! + k, width)]! * weights[x * count + k]!;
  return sum;
}

interface Columns {
  from: number;
  to: number;
}

function sumFour(source: Row, { first, weights }: Taps, columns: Columns, target: Row): void {
  const { data, start } = source;
  const { data: sums, start: targetStart } = target;
  const { from, to } = columns;
  for (let x = from; x < to; x++) {
    const at = start + first[x]!;
    const w = 4 * x;
    sums[targetStart + x] =
      data[at]! * weights[w]! +
      data[at + 1]! * weights[w + 1]! +
      data[at + 2]! * weights[w + 2]! +
      data[at + 3]! * weights[w + 3]!;
  }
}

function sumMany(source: Row, { first, count, weights }: Taps, columns: Columns, target: Row): void {
  const { data, start } = source;
  const { data: sums, start: targetStart } = target;
  const { from, to } = columns;
  for (let x = from; x < to; x++) {
    const at = start + first[x]!;
    const w = count * x;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += data[at + k]! * weights[w + k]!;
    sums[targetStart + x] = sum;
  }
}

interface Down {
  rows: Float32Array;
  down: Taps;
  width: number;
  /** The source row that `rows` begins with. */
  top: number;
}

export function resampleDown(
  input: Down,
  { target }: { target: Float32Array },
  from: number,
  to: number,
): void {
  if (input.down.count === 4) addFourRows(input, target, from, to);
  else addManyRows(input, target, from, to);
}

function addFourRows({ rows, down, width, top }: Down, target: Float32Array, from: number, to: number): void {
  const { first, weights } = down;
  for (let y = from; y < to; y++) {
    const a = weights[4 * y]!;
    const b = weights[4 * y + 1]!;
    const c = weights[4 * y + 2]!;
    const d = weights[4 * y + 3]!;
    let i = (first[y]! - top) * width;
    for (let at = y * width; at < (y + 1) * width; at++, i++) {
      target[at] = rows[i]! * a + rows[i + width]! * b + rows[i + 2 * width]! * c + rows[i + 3 * width]! * d;
    }
  }
}

function addManyRows({ rows, down, width, top }: Down, target: Float32Array, from: number, to: number): void {
  const { first, count, weights } = down;
  target.fill(0, from * width, to * width);
  for (let y = from; y < to; y++) {
    const at = y * width;
    for (let k = 0; k < count; k++) {
      const weight = weights[y * count + k]!;
      if (weight === 0) continue;
      const start = (first[y]! + k - top) * width;
      for (let x = 0; x < width; x++) target[at + x] = target[at + x]! + rows[start + x]! * weight;
    }
  }
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
