import { networkIsolation } from '../../platform.ts';
import { engineBroke } from '../engine.ts';
import type { ChildWork, WorkOf, WorkResults } from './child-messages.ts';
import { type ChildLimits, type EngineChild, startChild } from './engine-child.ts';
import { runInChild } from './run-in-child.ts';

export interface ChildPoolOptions {
  /** A `RunnerModule`. */
  module: URL;
  size: number;
  /** Handed to the module's `createRunner`. */
  settings?: unknown;
  limits?: Partial<ChildLimits>;
  /** What stands before the command of a child; without it, what takes its network away. */
  isolate?: () => readonly string[];
  /** Where libraries put temporary files, if not where the system has them. */
  tempDir?: string;
  /** How far its children stand back behind other processes: 0 to 19, as `nice` has it. */
  niceness?: number;
  /** Ends a child that had nothing to do for so long; without it they stay. */
  idleMs?: number;
  /** So many stay nevertheless, and only they are warmed up; without it, all are. */
  staying?: number;
  /** Start the children and warm them up before the first work comes. */
  warm?: boolean;
}

/** Child processes that do work, each one at a time. */
export interface ChildPool {
  doWork<Type extends ChildWork['type']>(
    work: WorkOf<Type>,
    context: Parameters<typeof runInChild>[2],
  ): Promise<WorkResults[Type]>;
  /** Starts the children that are not running, so that the next work finds them warm. */
  warmUp(): void;
  close(): Promise<void>;
}

/** What does the work of a pool, in processes or not. */
export type WorkPool = Pick<ChildPool, 'doWork' | 'close'>;

export function childPool(options: ChildPoolOptions): ChildPool {
  let prefix: readonly string[] | undefined;
  const all = new Set<EngineChild>();
  const { size, staying } = options;
  const idle = idleChildren(options.idleMs, () => livingOf(all) > (staying ?? 0));
  const waiters: PromiseWithResolvers<EngineChild>[] = [];
  let closed = false;

  const spawn = (): EngineChild => {
    prefix ??= (options.isolate ?? networkIsolation)();
    const child = startChild({ ...options, prefix });
    all.add(child);
    child.process.once('exit', () => {
      all.delete(child);
      idle.remove(child);
      // One that was killed for a limit is replaced before somebody waits for it. One that crashes may do so at every
      // start, and is started again only for work.
      if (!closed && (waiters.length > 0 || child.killedFor !== null)) offer(spawn());
    });
    return child;
  };
  const offer = (child: EngineChild) => {
    const next = waiters.shift();
    if (next) next.resolve(child);
    else idle.add(child);
  };
  const acquire = async (signal: AbortSignal): Promise<EngineChild> => {
    if (closed) throw closing();
    const child = idle.take();
    if (child) return child;
    if (all.size < size) return spawn();
    const waiter = Promise.withResolvers<EngineChild>();
    waiters.push(waiter);
    const giveUp = () => {
      const at = waiters.indexOf(waiter);
      if (at >= 0) waiters.splice(at, 1);
      waiter.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    return waiter.promise.finally(() => signal.removeEventListener('abort', giveUp));
  };
  const release = (child: EngineChild) => {
    const { connected, exitCode, killed } = child.process;
    if (!connected || exitCode !== null || killed) return;
    if (child.isOverMemory()) child.killFor('memory');
    else offer(child);
  };

  // Not before the server listens: starting a process takes 15 ms of this thread.
  const warmUp = () => {
    while (!closed && all.size < (staying ?? size)) offer(spawn());
  };
  if (options.warm) setImmediate(warmUp);

  const doWork: ChildPool['doWork'] = async <Type extends ChildWork['type']>(
    work: WorkOf<Type>,
    context: Parameters<typeof runInChild>[2],
  ): Promise<WorkResults[Type]> => {
    context.signal.throwIfAborted();
    const child = await acquire(context.signal);
    try {
      context.signal.throwIfAborted();
      return await runInChild(child, work, context);
    } finally {
      release(child);
    }
  };

  return {
    doWork,
    warmUp,
    async close() {
      closed = true;
      for (const waiter of waiters.splice(0)) waiter.reject(closing());
      const ends = [...all].map((child) => new Promise((resolve) => child.process.once('exit', resolve)));
      for (const child of all) child.process.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** Those that are being ended are not counted. */
const livingOf = (children: Iterable<EngineChild>) =>
  [...children].filter(({ process }) => !process.killed).length;

/** Children that have nothing to do. One that had nothing for so long is ended, where it may be. */
function idleChildren(idleMs: number | undefined, mayEnd: () => boolean) {
  const timers = new Map<EngineChild, NodeJS.Timeout | undefined>();
  const remove = (child: EngineChild) => {
    clearTimeout(timers.get(child));
    timers.delete(child);
  };
  const end = (child: EngineChild) => {
    if (!mayEnd()) return;
    remove(child);
    child.process.kill('SIGKILL');
  };
  return {
    add(child: EngineChild) {
      timers.set(child, idleMs === undefined ? undefined : setTimeout(end, idleMs, child).unref());
    },
    /** The one that worked last, so that others can be ended. */
    take(): EngineChild | undefined {
      const child = [...timers.keys()].at(-1);
      if (child) remove(child);
      return child;
    },
    remove,
  };
}

/** Of work that has no progress and cannot be picked up. */
export const nothingToTell = { progress: () => {}, saveHandle: async () => {} };

const closing = () => engineBroke('The engine is being stopped.');
