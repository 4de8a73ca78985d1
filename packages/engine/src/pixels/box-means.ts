import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Box means one after the other: all of them along the rows, where a row stays in the cache, then all down. */
export function boxMeans(
  source: Float32Array,
  width: number,
  height: number,
  radii: readonly number[],
  target?: Float32Array,
): Float32Array {
  return withArena(() => {
    const rows = allocate(source.length);
    const out = allocate(source.length);
    forRows(boxesAcross, height, { source, width, radii }, { rows });
    forRows(boxesDown, width, { rows, width, height, radii }, { out });
    if (!target) return out;
    target.set(out);
    return target;
  });
}

export function boxesAcross(
  { source, width, radii }: { source: Float32Array; width: number; radii: readonly number[] },
  { rows }: { rows: Float32Array },
  from: number,
  to: number,
): void {
  const [first, second] = [new Float32Array(width), new Float32Array(width)];
  const last = radii.length - 1;
  for (let y = from; y < to; y++) {
    const at = y * width;
    slide(source, at, radii[0]!, last === 0 ? rows : first, last === 0 ? at : 0, width);
    if (last === 0) continue;
    slide(first, 0, radii[1]!, second, 0, width);
    slide(second, 0, radii[2]!, rows, at, width);
  }
}

/** A running mean along one row. */
function slide(
  source: Float32Array,
  start: number,
  r: number,
  target: Float32Array,
  to: number,
  width: number,
): void {
  // Columns whose whole window lies inside the row; the ones beside them divide by what is left of it.
  const inner = Math.min(width, r + 1);
  const outer = Math.max(inner, width - r);
  const whole = 1 / (2 * r + 1);
  let sum = 0;
  for (let x = 0; x < Math.min(r, width); x++) sum += source[start + x]!;
  for (let x = 0; x < inner; x++) {
    if (x + r < width) sum += source[start + x + r]!;
    target[to + x] = sum / (Math.min(width - 1, x + r) + 1);
  }
  let ahead = start + inner + r;
  let behind = start + inner - r - 1;
  for (let i = to + inner; i < to + outer; i++, ahead++, behind++) {
    sum += source[ahead]! - source[behind]!;
    target[i] = sum * whole;
  }
  for (let x = outer; x < width; x++) {
    sum -= source[start + x - r - 1]!;
    target[to + x] = sum / (width - x + r);
  }
}

/** Columns that go down together: what lies between two means of them stays in the cache. */
const strip = 32;

export function boxesDown(
  {
    rows,
    width,
    height,
    radii,
  }: { rows: Float32Array; width: number; height: number; radii: readonly number[] },
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const last = radii.length - 1;
  const between = last === 0 ? [] : [new Float32Array(strip * height), new Float32Array(strip * height)];
  for (let x = from; x < to; x += strip) {
    const columns = Math.min(strip, to - x);
    if (last === 0) {
      sink(rows, x, width, radii[0]!, out, x, width, columns, height);
      continue;
    }
    const [first, second] = between as [Float32Array, Float32Array];
    sink(rows, x, width, radii[0]!, first, 0, strip, columns, height);
    sink(first, 0, strip, radii[1]!, second, 0, strip, columns, height);
    sink(second, 0, strip, radii[2]!, out, x, width, columns, height);
  }
}

/** Running means down a strip of columns. */
function sink(
  source: Float32Array,
  start: number,
  stride: number,
  r: number,
  target: Float32Array,
  to: number,
  targetStride: number,
  columns: number,
  height: number,
): void {
  const sums = new Float64Array(columns);
  for (let y = 0; y < Math.min(r, height); y++) {
    for (let x = 0, i = start + y * stride; x < columns; x++, i++) sums[x] = sums[x]! + source[i]!;
  }
  for (let y = 0; y < height; y++) {
    const enters = y + r < height;
    const leaves = y - r - 1 >= 0;
    const share = 1 / (Math.min(height - 1, y + r) - Math.max(0, y - r) + 1);
    let i = to + y * targetStride;
    let below = start + (y + r) * stride;
    let above = start + (y - r - 1) * stride;
    if (enters && leaves) {
      for (let x = 0; x < columns; x++, i++, below++, above++) {
        const sum = sums[x]! + source[below]! - source[above]!;
        sums[x] = sum;
        target[i] = sum * share;
      }
      continue;
    }
    if (enters) for (let x = 0; x < columns; x++, below++) sums[x] = sums[x]! + source[below]!;
    if (leaves) for (let x = 0; x < columns; x++, above++) sums[x] = sums[x]! - source[above]!;
    for (let x = 0; x < columns; x++, i++) target[i] = sums[x]! * share;
  }
}
