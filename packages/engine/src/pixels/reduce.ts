import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { reduceSquares } from './kernels/sampling-kernels.ts';
import { mapChannels, type Picture } from './picture.ts';
import type { Plane, Row, Size } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** A plane at 1/factor of the size it stands for. */
export interface ReducedPlane extends Plane {
  factor: number;
}

/** The plane at 1/factor of its size, each value the mean of its square. */
export function reduce(plane: Plane, factor: number): ReducedPlane {
  const size = { width: Math.ceil(plane.width / factor), height: Math.ceil(plane.height / factor) };
  return withArena(() => {
    const target = { ...size, data: allocate(size.width * size.height) };
    reduceSquares(plane, factor, target);
    return { ...target, factor };
  });
}

export function reducePicture(picture: Picture, factor: number): Picture {
  return factor === 1 ? picture : mapChannels(picture, (plane) => reduce(plane, factor));
}

/** Bilinear enlargement of what `reduce` made, back to its first size. */
export function enlarge(plane: Plane, { width, height }: Size, factor: number): Plane {
  const { width: columns, height: rows, data } = plane;
  return withArena(() => {
    const target = allocate(width * height);
    const reduced: ReducedPlane = { width: columns, height: rows, data, factor };
    forRows(enlargeRows, height, { reduced, width }, { target });
    return { width, height, data: target };
  });
}

export function enlargePicture(picture: Picture, size: Size, factor: number): Picture {
  return mapChannels(picture, (plane) => enlarge(plane, size, factor));
}

export function enlargeRows(
  { reduced, width }: { reduced: ReducedPlane; width: number },
  { target }: { target: Float32Array },
  from: number,
  to: number,
): void {
  const between = new Float32Array(reduced.width + 1);
  for (let y = from; y < to; y++) enlargeRow(reduced, y, between, { data: target, start: y * width, width });
}

/** Reads rows of a reduced plane at its full width. Every row is returned in the same array. */
export function rowReader(reduced: ReducedPlane, width: number): (y: number) => Float32Array {
  const between = new Float32Array(reduced.width + 1);
  const row = { data: new Float32Array(width), start: 0, width };
  return (y) => {
    enlargeRow(reduced, y, between, row);
    return row.data;
  };
}

interface WholeRow extends Row {
  width: number;
}

/** `between` is room for one value more than a row of the reduced plane has. */
function enlargeRow(
  { data, width, height, factor }: ReducedPlane,
  y: number,
  between: Float32Array,
  to: WholeRow,
): void {
  const at = Math.min(height - 1, Math.max(0, (y + 0.5) / factor - 0.5));
  const line = Math.max(0, Math.min(height - 2, at | 0));
  const down = at - line;
  const upper = line * width;
  const lower = height > 1 ? upper + width : upper;
  // One row between two source rows first, then across: half the reads of doing both per pixel.
  for (let x = 0; x < width; x++) {
    const a = data[upper + x]!;
    between[x] = a + (data[lower + x]! - a) * down;
  }
  between[width] = between[width - 1]!;
  if (factor === 2) doubleRow(between, to);
  else widenRow(between, width - 1, factor, to);
}

/** `widenRow` by two, without a loop over the two. */
function doubleRow(values: Float32Array, { data: target, start, width }: WholeRow): void {
  target[start] = values[0]!;
  let i = start + 1;
  let a = values[0]!;
  for (let column = 1; i < start + width - 1; column++, i += 2) {
    const b = values[column]!;
    target[i] = a * 0.75 + b * 0.25;
    target[i + 1] = a * 0.25 + b * 0.75;
    a = b;
  }
  if (i < start + width) target[i] = a;
}

/** Between two values `factor` others, evenly; before the first and after the last one, those themselves. */
function widenRow(
  values: Float32Array,
  last: number,
  factor: number,
  { data: target, start, width }: WholeRow,
): void {
  const end = start + width;
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
export function readReduced({ data, width, height, factor }: ReducedPlane, x: number, y: number): number {
  const u = Math.min(width - 1, Math.max(0, (x + 0.5) / factor - 0.5));
  const v = Math.min(height - 1, Math.max(0, (y + 0.5) / factor - 0.5));
  const left = Math.max(0, Math.min(width - 2, u | 0));
  const upper = Math.max(0, Math.min(height - 2, v | 0));
  const at = upper * width + left;
  const right = width > 1 ? 1 : 0;
  const down = height > 1 ? width : 0;
  const a = data[at]! + (data[at + right]! - data[at]!) * (u - left);
  const b = data[at + down]! + (data[at + down + right]! - data[at + down]!) * (u - left);
  return a + (b - a) * (v - upper);
}
