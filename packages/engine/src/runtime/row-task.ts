/**
 * Works on rows from..to, `to` not included; a row may also be a column or any other part that needs no other part's
 * result. Has to give the same numbers however the rows are cut, so nothing may be carried from one row to the next.
 */
export type RowKernel<In, Out> = (input: In, output: Out, from: number, to: number) => void;

/** A kernel to run over rows, as it is posted to row threads. */
export interface RowTask<In = unknown, Out = unknown> {
  /** Where the kernel is exported, and under which name. */
  module: string;
  kernel: string;
  input: In;
  output: Out;
  count: number;
  /** Rows in a band. */
  band: number;
  /** Shared counters, at the indices below. */
  progress: Int32Array;
}

/** Indices into a task's progress. */
export const nextBand = 0;
export const bandsDone = 1;
export const failed = 2;

/**
 * Rows in one call. What is called often is compiled as a whole; a kernel called once or twice for a picture stays with
 * code that was replaced in the middle of its loops, and the larger ones then took three times as long.
 */
const slice = 32;

export function newProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(12));
}

export function runRows<In, Out>(
  kernel: RowKernel<In, Out>,
  input: In,
  output: Out,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row += slice) kernel(input, output, row, Math.min(to, row + slice));
}

/**
 * Takes bands of a task and runs them until none is left; several threads do this at a time. After a failure the
 * remaining bands are counted but not run, so that nobody waits for them.
 */
export function runBands<In, Out>(
  kernel: RowKernel<In, Out>,
  { input, output, count, band, progress }: RowTask<In, Out>,
  onFailure: (error: unknown) => void,
): void {
  const bands = Math.ceil(count / band);
  for (;;) {
    const index = Atomics.add(progress, nextBand, 1);
    if (index >= bands) return;
    if (Atomics.load(progress, failed) === 0) {
      try {
        runRows(kernel, input, output, index * band, Math.min(count, (index + 1) * band));
      } catch (error) {
        onFailure(error);
        Atomics.store(progress, failed, 1);
      }
    }
    if (Atomics.add(progress, bandsDone, 1) + 1 === bands) Atomics.notify(progress, bandsDone);
  }
}
