import { availableParallelism } from 'node:os';
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { floats, integers, isShared, scratch, viewsIn } from './arena.ts';

/**
 * Works on rows from..to, `to` not included; a row may also be a column or any other part that needs no other part's
 * result. Has to give the same numbers however the rows are cut, so nothing may be carried from one row to the next.
 */
export type RowKernel<In, Out> = (input: In, output: Out, from: number, to: number) => void;

/** What a thread is given when it starts. */
export interface RowThreadStart {
  orders: MessagePort;
  failures: MessagePort;
  /** Counts the orders: threads sleep on it. */
  bell: Int32Array;
}

export interface RowOrder {
  module: string;
  kernel: string;
  input: unknown;
  output: unknown;
  count: number;
  /** Rows in a band. */
  band: number;
  progress: Int32Array;
}

/** Places in an order's progress. */
export const nextBand = 0;
export const bandsDone = 1;
export const failed = 2;

/** Beyond four, planes of this size wait for memory. */
const mostThreads = 4;
/** Less than this is written sooner than a thread wakes up. */
const leastBytes = 160_000;
/** Bytes to be shared first, for each one that is written: beyond this, sharing costs what a second thread saves. */
const mostCopied = 2;
/** A thread that is kept from its core for a while should not hold much. */
const bandsPerThread = 6;
const leastBand = 8;
/**
 * Rows in one call. What is called often is compiled as a whole; a kernel called once or twice for a picture stays with
 * code that was replaced in the middle of its loops, and the larger ones then took three times as long.
 */
const slice = 32;
/** No band takes a second; a thread that has not answered for this many is gone. */
const patience = 60;
/** Threads that may end by themselves before no more are started. */
const mostLost = 3;

interface RowThread extends Pick<RowThreadStart, 'orders' | 'failures'> {
  worker: Worker;
}

let wanted = Math.min(mostThreads, availableParallelism());
const threads = new Set<RowThread>();
let lost = 0;
let bell: Int32Array | undefined;

/** How many threads share the rows, the calling one included. */
export function useRowThreads(count: number): void {
  wanted = count;
}

export function rowThreads(): number {
  return isMainThread ? wanted : 1;
}

/**
 * Gives a module its `forRows`, which runs one of its exported functions over rows on all threads and returns when
 * every row is done. Typed arrays in `output` are what the kernel writes: all of them have to be shared (`floats`
 * inside of `scratch`), else the calling thread does everything. Those in `input` are only read, and may be any.
 */
export function rowsOf(module: string) {
  return <In extends object, Out extends object>(
    kernel: RowKernel<In, Out>,
    count: number,
    input: In,
    output: Out,
  ): void => {
    const views = viewsIn(output);
    const written = bytesOf(views);
    if (
      rowThreads() === 1 ||
      count < 2 * leastBand ||
      written < leastBytes ||
      !views.every(isShared) ||
      bytesOf(viewsIn(input).filter((view) => !isShared(view))) > mostCopied * written
    ) {
      inSlices(kernel, input, output, 0, count);
      return;
    }
    scratch(() => share(module, kernel, count, input, output));
  };
}

function share<In, Out>(
  module: string,
  kernel: RowKernel<In, Out>,
  count: number,
  input: In,
  output: Out,
): void {
  const band = Math.max(leastBand, Math.ceil(count / (wanted * bandsPerThread)));
  const bands = Math.ceil(count / band);
  const progress = new Int32Array(new SharedArrayBuffer(12));
  const order: RowOrder = {
    module,
    kernel: kernel.name,
    input: sendable(input),
    output,
    count,
    band,
    progress,
  };
  const helpers = startThreads();
  for (const { orders } of helpers) orders.postMessage(order);
  Atomics.add(bell!, 0, 1);
  Atomics.notify(bell!, 0);
  let own: unknown;
  workThrough(kernel, { ...order, input, output }, (error) => {
    own = error;
  });
  waitFor(progress, bands, kernel.name);
  if (Atomics.load(progress, failed) === 0) return;
  const theirs = helpers
    .map(({ failures }) => receiveMessageOnPort(failures)?.message as unknown)
    .find((error) => error !== undefined);
  throw own ?? theirs;
}

/** Second by second: a process that was stopped and goes on has not waited all that time. */
function waitFor(progress: Int32Array, bands: number, kernel: string): void {
  let seconds = 0;
  for (let done = Atomics.load(progress, bandsDone); done < bands; done = Atomics.load(progress, bandsDone)) {
    Atomics.wait(progress, bandsDone, done, 1000);
    seconds = Atomics.load(progress, bandsDone) === done ? seconds + 1 : 0;
    if (seconds < patience) continue;
    for (const { worker } of threads) void worker.terminate();
    threads.clear();
    throw new Error(`A thread that works on rows does not answer: ${kernel}`);
  }
}

function inSlices<In, Out>(
  kernel: RowKernel<In, Out>,
  input: In,
  output: Out,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row += slice) kernel(input, output, row, Math.min(to, row + slice));
}

/** Takes bands as long as there are any. After a failure the rest is only counted, so that nobody waits for it. */
export function workThrough<In, Out>(
  kernel: RowKernel<In, Out>,
  order: Omit<RowOrder, 'input' | 'output'> & { input: In; output: Out },
  onFailure: (error: unknown) => void,
): void {
  const { input, output, count, band, progress } = order;
  const bands = Math.ceil(count / band);
  for (;;) {
    const mine = Atomics.add(progress, nextBand, 1);
    if (mine >= bands) return;
    if (Atomics.load(progress, failed) === 0) {
      try {
        inSlices(kernel, input, output, mine * band, Math.min(count, (mine + 1) * band));
      } catch (error) {
        onFailure(error);
        Atomics.store(progress, failed, 1);
      }
    }
    if (Atomics.add(progress, bandsDone, 1) + 1 === bands) Atomics.notify(progress, bandsDone);
  }
}

/** The threads beside the calling one. They sleep between orders, and none keeps the process alive. */
function startThreads(): RowThread[] {
  bell ??= new Int32Array(new SharedArrayBuffer(4));
  while (threads.size < wanted - 1 && lost < mostLost) {
    const orders = new MessageChannel();
    const failures = new MessageChannel();
    const start: RowThreadStart = { orders: orders.port2, failures: failures.port2, bell };
    const worker = new Worker(new URL('./row-worker.ts', import.meta.url), {
      workerData: start,
      transferList: [orders.port2, failures.port2],
    });
    const thread: RowThread = { worker, orders: orders.port1, failures: failures.port1 };
    worker.unref();
    // It catches what kernels throw. Should it end all the same, the next order starts another one, or does without.
    worker.on('error', () => {
      if (threads.delete(thread)) lost++;
    });
    threads.add(thread);
  }
  return [...threads].slice(0, wanted - 1);
}

function bytesOf(views: readonly ArrayBufferView[]): number {
  return views.reduce((sum, view) => sum + view.byteLength, 0);
}

/** Large arrays that are not shared would be copied once for every thread: they are shared first. */
function sendable(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    if (isShared(value)) return value;
    if (value instanceof Float32Array && value.byteLength > leastBytes) {
      const copy = floats(value.length);
      copy.set(value);
      return copy;
    }
    if (value instanceof Int32Array && value.byteLength > leastBytes) {
      const copy = integers(value.length);
      copy.set(value);
      return copy;
    }
    // A part of a larger buffer would bring the whole of it along.
    return (value as Float32Array).slice();
  }
  if (Array.isArray(value)) return value.map(sendable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sendable(part)]));
}
