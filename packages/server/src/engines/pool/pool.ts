import { type ChildProcess, fork } from 'node:child_process';
import { AppError, type AppErrorCode } from '../../errors.ts';
import { type AbortReason, abortReasonOf } from '../abort.ts';
import {
  type Ability,
  type Engine,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  engineBroke,
} from '../engine.ts';

/** Messages from the server to a child, and back. */
export type ToChild =
  | { type: 'run'; request: EngineRequest; handle: string | null }
  | { type: 'abort'; reason: AbortReason };
export type FromChild =
  | { type: 'ready' }
  | { type: 'progress'; done: number }
  | { type: 'handle'; handle: string }
  | { type: 'result'; result: EngineResult }
  | { type: 'error'; code: AppErrorCode; sentence: string; retryable: boolean; trace: string };

export interface PoolOptions {
  name: string;
  /** A `RunnerModule`. */
  module: URL;
  size: number;
  /** Handed to the module's `createRunner`. */
  settings?: unknown;
  abilities: readonly Ability[];
  /** Start the children and warm them up before the first job comes. */
  warm?: boolean;
  /** Signals and `execArgv` of the children, for tests. */
  env?: NodeJS.ProcessEnv;
}

/** What a cancelled child gets to stop by itself. */
const abortGraceMs = 1500;

/**
 * An engine whose work runs in child processes: the HTTP thread never waits for a pixel, native code that crashes
 * takes one job's try with it and not the server, and what will not stop can be killed.
 */
export function processPool(options: PoolOptions): Engine {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const waiters: PromiseWithResolvers<ChildProcess>[] = [];
  let closed = false;

  const spawn = (): ChildProcess => {
    const child = fork(
      new URL('./pool-child.ts', import.meta.url),
      [options.module.href, JSON.stringify(options.settings ?? null)],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, ...options.env },
        execArgv: [],
      },
    );
    all.add(child);
    // A child that could not be started emits an error and never exits.
    child.on('error', () =>
      child.pid === undefined ? child.emit('exit', null, null) : child.kill('SIGKILL'),
    );
    child.once('exit', () => {
      all.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
      if (!closed) waiters.shift()?.resolve(spawn());
    });
    return child;
  };
  const acquire = async (signal: AbortSignal): Promise<ChildProcess> => {
    if (closed) throw closing();
    const child = idle.pop();
    if (child) return child;
    if (all.size < options.size) return spawn();
    const waiter = Promise.withResolvers<ChildProcess>();
    waiters.push(waiter);
    const giveUp = () => {
      const at = waiters.indexOf(waiter);
      if (at >= 0) waiters.splice(at, 1);
      waiter.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    return waiter.promise.finally(() => signal.removeEventListener('abort', giveUp));
  };
  const release = (child: ChildProcess) => {
    if (!child.connected || child.exitCode !== null || child.killed) return;
    const next = waiters.shift();
    if (next) next.resolve(child);
    else idle.push(child);
  };

  if (options.warm) for (let i = 0; i < options.size; i++) idle.push(spawn());

  return {
    name: options.name,
    abilities: options.abilities,
    async run(request, context) {
      context.signal.throwIfAborted();
      const child = await acquire(context.signal);
      try {
        context.signal.throwIfAborted();
        return await runInChild(child, request, context);
      } finally {
        release(child);
      }
    },
    async close() {
      closed = true;
      for (const waiter of waiters.splice(0)) waiter.reject(closing());
      const ends = [...all].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of all) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

const closing = () => engineBroke('The engine is being stopped.');

function runInChild(
  child: ChildProcess,
  request: EngineRequest,
  context: EngineContext,
): Promise<EngineResult> {
  return new Promise((resolve, reject) => {
    let killTimer: NodeJS.Timeout | undefined;
    const send = (message: ToChild) => {
      if (child.connected) child.send(message, () => {});
    };
    const abort = () => {
      send({ type: 'abort', reason: abortReasonOf(context.signal) ?? 'cancelled' });
      killTimer = setTimeout(() => child.kill('SIGKILL'), abortGraceMs);
    };
    const end = (settle: () => void) => {
      clearTimeout(killTimer);
      context.signal.removeEventListener('abort', abort);
      child.off('message', receive);
      child.off('exit', exited);
      if (context.signal.aborted) reject(context.signal.reason);
      else settle();
    };
    const exited = (code: number | null, signal: string | null) =>
      end(() =>
        reject(
          engineBroke('The engine stopped in the middle of the work.', new Error(`exit ${code ?? signal}`)),
        ),
      );
    const receive = (message: FromChild) => {
      if (message.type === 'progress') context.progress(message.done);
      if (message.type === 'handle')
        void context.saveHandle(message.handle).catch(() => child.kill('SIGKILL'));
      if (message.type === 'result') end(() => resolve(message.result));
      if (message.type === 'error') end(() => reject(errorOf(message)));
    };
    child.on('message', receive);
    child.once('exit', exited);
    context.signal.addEventListener('abort', abort);
    if (!child.connected) exited(child.exitCode, child.signalCode);
    else send({ type: 'run', request, handle: context.handle });
  });
}

function errorOf(message: FromChild & { type: 'error' }): AppError {
  return new AppError(message.code, message.sentence, {
    retryable: message.retryable,
    cause: new Error(message.trace),
  });
}
