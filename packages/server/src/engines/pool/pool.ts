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

/** What the server says to a child, and what it hears. */
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
  const waiting: PromiseWithResolvers<ChildProcess>[] = [];
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
    // A child that could not be started says so here and never exits.
    child.on('error', () =>
      child.pid === undefined ? child.emit('exit', null, null) : child.kill('SIGKILL'),
    );
    child.once('exit', () => {
      all.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
      if (!closed) waiting.shift()?.resolve(spawn());
    });
    return child;
  };
  const take = async (signal: AbortSignal): Promise<ChildProcess> => {
    if (closed) throw closing();
    const child = idle.pop();
    if (child) return child;
    if (all.size < options.size) return spawn();
    const turn = Promise.withResolvers<ChildProcess>();
    waiting.push(turn);
    const leave = () => {
      const at = waiting.indexOf(turn);
      if (at >= 0) waiting.splice(at, 1);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return turn.promise.finally(() => signal.removeEventListener('abort', leave));
  };
  const giveBack = (child: ChildProcess) => {
    if (!child.connected || child.exitCode !== null || child.killed) return;
    const next = waiting.shift();
    if (next) next.resolve(child);
    else idle.push(child);
  };

  if (options.warm) for (let i = 0; i < options.size; i++) idle.push(spawn());

  return {
    name: options.name,
    abilities: options.abilities,
    async run(request, context) {
      context.signal.throwIfAborted();
      const child = await take(context.signal);
      try {
        context.signal.throwIfAborted();
        return await runIn(child, request, context);
      } finally {
        giveBack(child);
      }
    },
    async close() {
      closed = true;
      for (const turn of waiting.splice(0)) turn.reject(closing());
      const ends = [...all].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of all) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

const closing = () => engineBroke('The engine is being stopped.');

function runIn(child: ChildProcess, request: EngineRequest, context: EngineContext): Promise<EngineResult> {
  return new Promise((resolve, reject) => {
    let killer: NodeJS.Timeout | undefined;
    const say = (message: ToChild) => {
      if (child.connected) child.send(message, () => {});
    };
    const abort = () => {
      say({ type: 'abort', reason: abortReasonOf(context.signal) ?? 'cancelled' });
      killer = setTimeout(() => child.kill('SIGKILL'), abortGraceMs);
    };
    const end = (settle: () => void) => {
      clearTimeout(killer);
      context.signal.removeEventListener('abort', abort);
      child.off('message', hear);
      child.off('exit', died);
      if (context.signal.aborted) reject(context.signal.reason);
      else settle();
    };
    const died = (code: number | null, signal: string | null) =>
      end(() =>
        reject(
          engineBroke('The engine stopped in the middle of the work.', new Error(`exit ${code ?? signal}`)),
        ),
      );
    const hear = (message: FromChild) => {
      if (message.type === 'progress') context.progress(message.done);
      if (message.type === 'handle')
        void context.saveHandle(message.handle).catch(() => child.kill('SIGKILL'));
      if (message.type === 'result') end(() => resolve(message.result));
      if (message.type === 'error') end(() => reject(errorOf(message)));
    };
    child.on('message', hear);
    child.once('exit', died);
    context.signal.addEventListener('abort', abort);
    if (!child.connected) died(child.exitCode, child.signalCode);
    else say({ type: 'run', request, handle: context.handle });
  });
}

function errorOf(message: FromChild & { type: 'error' }): AppError {
  return new AppError(message.code, message.sentence, {
    retryable: message.retryable,
    cause: new Error(message.trace),
  });
}
