import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Size } from '../pixels/plane.ts';
import type { RenderOrder, RenderStart } from './render-thread.ts';

export interface FrameThreads {
  readonly count: number;
  /**
   * Says what the frames are made of, before the first is rendered. Planes in `data` are best over SharedArrayBuffers,
   * which are not copied.
   */
  begin(data: unknown, size: Size): void;
  render(index: number, buffer: SharedArrayBuffer): Promise<void>;
  /** Ends the threads, in the middle of a frame if need be; what they were asked for fails. */
  close(): Promise<void>;
}

interface Task {
  order: RenderOrder;
  done: PromiseWithResolvers<void>;
}

const mostThreads = 8;

/** Threads that load a module at once and call its `rendererOf(data)` when they begin. */
export function startFrameThreads(module: URL): FrameThreads {
  const count = Math.min(mostThreads, availableParallelism());
  const idle: Worker[] = [];
  const busy = new Map<Worker, Task>();
  const queue: Task[] = [];
  let failure: unknown;

  const fail = (error: unknown) => {
    failure ??= error;
    for (const task of [...queue.splice(0), ...busy.values()]) task.done.reject(failure);
    busy.clear();
  };
  const next = () => {
    while (idle.length > 0 && queue.length > 0) {
      const thread = idle.pop()!;
      const task = queue.shift()!;
      busy.set(thread, task);
      thread.postMessage(task.order);
    }
  };
  const threads = Array.from({ length: count }, () => {
    const thread = new Worker(new URL('./render-thread.ts', import.meta.url), { workerData: module.href });
    thread.on('message', () => {
      busy.get(thread)?.done.resolve();
      busy.delete(thread);
      idle.push(thread);
      next();
    });
    thread.on('error', fail);
    thread.on('exit', () => fail(new Error('a rendering thread ended')));
    idle.push(thread);
    return thread;
  });

  return {
    count,
    begin(data, size) {
      const start: RenderStart = { data, size };
      for (const thread of threads) thread.postMessage(start);
    },
    render(index, buffer) {
      if (failure !== undefined) return Promise.reject(failure);
      const done = Promise.withResolvers<void>();
      queue.push({ order: { index, buffer }, done });
      next();
      return done.promise;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}
