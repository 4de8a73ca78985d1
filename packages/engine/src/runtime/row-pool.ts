import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { arenaMemory } from './arena.ts';
import { bandsDone, failed, newProgress, type RowKernel, type RowTask, runBands } from './row-task.ts';
import type { RowThread } from './row-thread.ts';

/** A row thread as the pool holds it, with the pool's ends of its channels. */
interface PooledThread extends Pick<RowThread, 'tasks' | 'failures'> {
  worker: Worker;
}

/** A thread that loses its core for a while should not hold much of the work. */
const bandsPerThread = 6;
export const leastBand = 8;
/** No band takes a second; a thread that has not answered for this long is gone. */
const timeLimitSeconds = 60;
/** Threads that may end by themselves before no more are started. */
const mostLost = 3;

/** Row threads: they run kernels together with the calling thread, and start with the first task. */
export class RowPool {
  /** How many threads share the rows, the calling one included. */
  threadCount: number;
  /** By their numbers. */
  readonly #threads = new Map<number, PooledThread>();
  readonly #wakeCounter = new Int32Array(new SharedArrayBuffer(4));
  #lost = 0;

  constructor(threadCount: number) {
    this.threadCount = threadCount;
  }

  /**
   * Runs the kernel over all rows and returns when every row is done. `posted` is the input as row threads get it:
   * the same values in arrays that are shared or small.
   */
  run<In, Out>(
    kernel: RowKernel<In, Out>,
    task: Omit<RowTask<In, Out>, 'kernel' | 'band' | 'progress'>,
    posted: unknown,
  ): void {
    const progress = newProgress();
    const band = Math.max(leastBand, Math.ceil(task.count / (this.threadCount * bandsPerThread)));
    const whole = { ...task, kernel: kernel.name, band, progress };
    const helpers = this.#startThreads();
    for (const { tasks } of helpers) tasks.postMessage({ ...whole, input: posted } satisfies RowTask);
    Atomics.add(this.#wakeCounter, 0, 1);
    Atomics.notify(this.#wakeCounter, 0);
    let ownFailure: unknown;
    runBands(kernel, whole, (error) => {
      ownFailure = error;
    });
    this.#waitForAll(whole);
    if (Atomics.load(progress, failed) === 0) return;
    const failures = helpers.map(({ failures }) => receiveMessageOnPort(failures)?.message as unknown);
    throw ownFailure ?? failures.find((error) => error !== undefined);
  }

  /** Counts seconds one by one: a process that was stopped and continued has not waited all that time. */
  #waitForAll({ kernel, count, band, progress }: RowTask): void {
    const bands = Math.ceil(count / band);
    let seconds = 0;
    for (
      let done = Atomics.load(progress, bandsDone);
      done < bands;
      done = Atomics.load(progress, bandsDone)
    ) {
      Atomics.wait(progress, bandsDone, done, 1000);
      seconds = Atomics.load(progress, bandsDone) === done ? seconds + 1 : 0;
      if (seconds < timeLimitSeconds) continue;
      for (const { worker } of this.#threads.values()) void worker.terminate();
      this.#threads.clear();
      throw new Error(`A row thread did not finish its rows of ${kernel} within ${timeLimitSeconds} s.`);
    }
  }

  /** The threads beside the calling one. They sleep between tasks, and none keeps the process alive. */
  #startThreads(): PooledThread[] {
    for (let number = 1; number < this.threadCount && this.#lost < mostLost; number++) {
      if (!this.#threads.has(number)) this.#threads.set(number, this.#startThread(number));
    }
    return [...this.#threads].filter(([number]) => number < this.threadCount).map(([, thread]) => thread);
  }

  #startThread(number: number): PooledThread {
    const tasks = new MessageChannel();
    const failures = new MessageChannel();
    const rowThread: RowThread = {
      number,
      tasks: tasks.port2,
      failures: failures.port2,
      wakeCounter: this.#wakeCounter,
      memory: arenaMemory(),
    };
    const worker = new Worker(new URL('./row-worker.ts', import.meta.url), {
      workerData: { rowThread },
      transferList: [tasks.port2, failures.port2],
    });
    const thread = { worker, tasks: tasks.port1, failures: failures.port1 };
    worker.unref();
    // It catches what kernels throw. If it ends all the same, the next task starts another one, or does without.
    worker.on('error', () => {
      if (this.#threads.get(number) !== thread) return;
      this.#threads.delete(number);
      this.#lost++;
    });
    return thread;
  }
}
