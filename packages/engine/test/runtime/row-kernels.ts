import { threadId } from 'node:worker_threads';
import { rowsOf } from '../../src/runtime/parallel-rows.ts';

/** Kernels for the tests of parallel rows; threads import them from here. */
export const forRows = rowsOf(import.meta.url);

export interface Out {
  out: Float32Array;
}

/** Says who did each row: the calling thread is 0, the others count from 1. Slow, so that everybody gets some. */
export function signRows({ width }: { width: number }, { out }: Out, from: number, to: number): void {
  const until = performance.now() + 4;
  while (performance.now() < until);
  out.fill(threadId, from * width, to * width);
}

export function addRows(
  { width, one, more }: { width: number; one: Float32Array; more: { values: Float32Array }[] },
  { out }: Out,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    out[i] = one[i]! + more.reduce((sum, { values }) => sum + values[i % values.length]!, 0);
  }
}

/** Breaks in one row only, in whichever thread has it. */
export function breakRows(
  { width, row }: { width: number; row: number },
  { out }: Out,
  from: number,
  to: number,
): void {
  out.fill(1, from * width, to * width);
  if (row >= from && row < to) throw new RangeError(`row ${row} is broken`);
}

/** Breaks in every thread but the calling one. */
export function breakElsewhereRows(
  { width }: { width: number },
  { out }: Out,
  from: number,
  to: number,
): void {
  signRows({ width }, { out }, from, to);
  if (threadId !== 0) throw new RangeError(`thread ${threadId} is broken`);
}

function hiddenRows({ width }: { width: number }, { out }: Out, from: number, to: number): void {
  signRows({ width }, { out }, from, to);
}

/** Over a function that no other thread can find. */
export function runHidden(width: number, height: number, out: Float32Array): void {
  forRows(hiddenRows, height, { width }, { out });
}
