import type { Plane, Row, Size } from '@guise/engine/pixels/plane.ts';
import { allocate, withArena } from '@guise/engine/runtime/arena.ts';
import { rowsOf } from '@guise/engine/runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Mean over a square of side 2·radius + 1, at the border over what is inside; cost does not grow with the radius. */
export function boxMean(plane: Plane, radius: number): Plane {
  return boxMeans(plane, [Math.max(0, Math.round(radius))]);
}

export type Radii = readonly [number] | readonly [number, number, number];

/** One box mean or three in succession: all of them along the rows, where a row stays in the cache, then all down. */
export function boxMeans({ width, height, data }: Plane, radii: Radii): Plane {
  return withArena(() => {
    const rows = allocate(data.length);
    const means = allocate(data.length);
    forRows(boxMeansAcross, height, { source: data, width, radii }, { rows });
    forRows(boxMeansDown, width, { rows, width, height, radii }, { means });
    return { width, height, data: means };
  });
}

export function boxMeansAcross(
  { source, width, radii }: { source: Float32Array; width: number; radii: Radii },
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const first = { data: new Float32Array(width), start: 0 };
  const second = { data: new Float32Array(width), start: 0 };
  for (let y = from; y < to; y++) {
    const here = { data: source, start: y * width };
    const result = { data: rows, start: y * width };
    if (radii.length === 1) {
      meanAcross(here, result, width, radii[0]);
      continue;
    }
    meanAcross(here, first, width, radii[0]);
    meanAcross(first, second, width, radii[1]);
    meanAcross(second, result, width, radii[2]);
  }
}

/** A running mean along one row. */
function meanAcross(from: Row, to: Row, width: number, radius: number): void {
  const { data: source, start } = from;
  const { data: target, start: targetStart } = to;
  // Columns whose whole window lies inside the row; those beside them divide by what is left of it.
  const inner = Math.min(width, radius + 1);
  const outer = Math.max(inner, width - radius);
  const whole = 1 / (2 * radius + 1);
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) sum += source[start + x]!;
  for (let x = 0; x < inner; x++) {
    if (x + radius < width) sum += source[start + x + radius]!;
    target[targetStart + x] = sum / (Math.min(width - 1, x + radius) + 1);
  }
  let ahead = start + inner + radius;
  let behind = start + inner - radius - 1;
  for (let i = targetStart + inner; i < targetStart + outer; i++, ahead++, behind++) {
    sum += source[ahead]! - source[behind]!;
    target[i] = sum * whole;
  }
  for (let x = outer; x < width; x++) {
    sum -= source[start + x - radius - 1]!;
    target[targetStart + x] = sum / (width - x + radius);
  }
}

/** Columns that go down together: what lies between two means of them stays in the cache. */
const stripWidth = 32;

/** Columns of an array, `stride` values from one row to the next. */
interface Strip extends Row {
  stride: number;
}

export function boxMeansDown(
  { rows, width, height, radii }: { rows: Float32Array; width: number; height: number; radii: Radii },
  { means }: { means: Float32Array },
  from: number,
  to: number,
): void {
  const between = radii.length === 1 ? 0 : stripWidth * height;
  const first = { data: new Float32Array(between), start: 0, stride: stripWidth };
  const second = { data: new Float32Array(between), start: 0, stride: stripWidth };
  for (let x = from; x < to; x += stripWidth) {
    const size = { width: Math.min(stripWidth, to - x), height };
    const here = { data: rows, start: x, stride: width };
    const result = { data: means, start: x, stride: width };
    if (radii.length === 1) {
      meanDown(here, result, size, radii[0]);
      continue;
    }
    meanDown(here, first, size, radii[0]);
    meanDown(first, second, size, radii[1]);
    meanDown(second, result, size, radii[2]);
  }
}

/** Running means down a strip of columns. */
function meanDown(from: Strip, to: Strip, { width, height }: Size, radius: number): void {
  const { data: source, start, stride } = from;
  const { data: target, start: targetStart, stride: targetStride } = to;
  const sums = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0, i = start + y * stride; x < width; x++, i++) sums[x] = sums[x]! + source[i]!;
  }
  for (let y = 0; y < height; y++) {
    const enters = y + radius < height;
    const leaves = y - radius - 1 >= 0;
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    let i = targetStart + y * targetStride;
    let below = start + (y + radius) * stride;
    let above = start + (y - radius - 1) * stride;
    if (enters && leaves) {
      for (let x = 0; x < width; x++, i++, below++, above++) {
        const sum = sums[x]! + source[below]! - source[above]!;
        sums[x] = sum;
        target[i] = sum * share;
      }
      continue;
    }
    if (enters) for (let x = 0; x < width; x++, below++) sums[x] = sums[x]! + source[below]!;
    if (leaves) for (let x = 0; x < width; x++, above++) sums[x] = sums[x]! - source[above]!;
    for (let x = 0; x < width; x++, i++) target[i] = sums[x]! * share;
  }
}
