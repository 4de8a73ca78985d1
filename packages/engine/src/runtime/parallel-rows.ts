import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { allocateCopy, allocateIntegers, isShared, viewsIn, withArena } from './arena.ts';
import { leastBand, RowPool } from './row-pool.ts';
import { type RowKernel, runRows } from './row-task.ts';

/** With more than four threads, planes of a picture wait for memory. */
const mostThreads = 4;
/** Less than this is written before a thread wakes up. */
const leastBytes = 160_000;
/** Bytes to be shared first, for each one that is written: beyond this, sharing costs what a second thread saves. */
const mostCopied = 2;

/**
 * The threads of this process, started when they are first needed. Not handed in, for the same reason as the arena:
 * every function that works on pixels runs kernels. Threads that somebody else started run theirs alone.
 */
export const rowPool = new RowPool(isMainThread ? Math.min(mostThreads, availableParallelism()) : 1);

/**
 * Gives a module its `forRows`, which runs one of its exported functions over rows on all threads and returns when
 * every row is done. Typed arrays in `output` are what the kernel writes: all of them have to be shared (`allocate`
 * inside of `withArena`), else the calling thread does everything. Those in `input` are only read, and may be any.
 */
export function rowsOf(module: string) {
  return <In extends object, Out extends object>(
    kernel: RowKernel<In, Out>,
    count: number,
    input: In,
    output: Out,
  ): void => {
    if (isWorthSharing(count, input, output)) {
      withArena(() => rowPool.run(kernel, { module, count, input, output }, toPosted(input)));
    } else {
      runRows(kernel, input, output, 0, count);
    }
  };
}

function isWorthSharing(count: number, input: object, output: object): boolean {
  if (rowPool.threadCount === 1 || count < 2 * leastBand) return false;
  const views = viewsIn(output);
  const written = bytesOf(views);
  return (
    written >= leastBytes &&
    views.every(isShared) &&
    bytesOf(viewsIn(input).filter((view) => !isShared(view))) <= mostCopied * written
  );
}

function bytesOf(views: readonly ArrayBufferView[]): number {
  return views.reduce((sum, view) => sum + view.byteLength, 0);
}

/** Large arrays that are not shared would be copied once for every thread: they are copied to shared memory first. */
function toPosted(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    if (isShared(value)) return value;
    if (value instanceof Float32Array && value.byteLength > leastBytes) return allocateCopy(value);
    if (value instanceof Int32Array && value.byteLength > leastBytes) {
      const copy = allocateIntegers(value.length);
      copy.set(value);
      return copy;
    }
    // A part of a larger buffer would bring the whole of it along.
    return (value as Float32Array).slice();
  }
  if (Array.isArray(value)) return value.map(toPosted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPosted(part)]));
}
