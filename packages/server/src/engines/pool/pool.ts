import { networkIsolation } from '../../platform.ts';
import { type Ability, type Engine, engineBroke } from '../engine.ts';
import type { ChildWork, WorkOf, WorkResults } from './child-messages.ts';
import { type ChildLimits, type EngineChild, startChild } from './engine-child.ts';
import { runInChild } from './run-in-child.ts';

export interface PoolOptions {
  name: string;
  /** A `RunnerModule`. */
  module: URL;
  size: number;
  /** Handed to the module's `createRunner`. */
  settings?: unknown;
  limits?: Partial<ChildLimits>;
  abilities: readonly Ability[];
  /** Whether its runners find the faces of templates. */
  checksTemplates?: boolean;
  /** Start the children and warm them up before the first job comes. */
  warm?: boolean;
}

/**
 * An engine whose work runs in child processes: the HTTP thread never waits for a pixel, native code that crashes
 * takes one job's try with it and not the server, and what will not stop can be killed.
 */
export function processPool(options: PoolOptions): Engine {
  let prefix: readonly string[] | undefined;
  const idle: EngineChild[] = [];
  const all = new Set<EngineChild>();
  const waiters: PromiseWithResolvers<EngineChild>[] = [];
  let closed = false;

  const spawn = (): EngineChild => {
    prefix ??= networkIsolation();
    const child = startChild({ ...options, prefix });
    all.add(child);
    child.process.once('exit', () => {
      all.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
      // One that was killed for a limit is replaced before somebody waits for it. One that crashes may do so at every
      // start, and is started again only for work.
      if (!closed && (waiters.length > 0 || child.killedFor !== null)) offer(spawn());
    });
    return child;
  };
  const offer = (child: EngineChild) => {
    const next = waiters.shift();
    if (next) next.resolve(child);
    else idle.push(child);
  };
  const acquire = async (signal: AbortSignal): Promise<EngineChild> => {
    if (closed) throw closing();
    const child = idle.pop();
    if (child) return child;
    if (all.size < options.size) return spawn();
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
    while (!closed && all.size < options.size) offer(spawn());
  };
  if (options.warm) setImmediate(warmUp);

  const doWork = async <Type extends ChildWork['type']>(
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
    name: options.name,
    runsHere: true,
    abilities: options.abilities,
    run: (request, context) => doWork({ type: 'run', request, handle: context.handle }, context),
    ...(options.checksTemplates && {
      checkTemplate: (file, signal) => doWork({ type: 'check-template', file }, { signal, ...nothingToTell }),
    }),
    async close() {
      closed = true;
      for (const waiter of waiters.splice(0)) waiter.reject(closing());
      const ends = [...all].map((child) => new Promise((resolve) => child.process.once('exit', resolve)));
      for (const child of all) child.process.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** Of work that has no progress and cannot be picked up. */
const nothingToTell = { progress: () => {}, saveHandle: async () => {} };

const closing = () => engineBroke('The engine is being stopped.');
