import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { onStopSignal, preferAsVictim } from '../../platform.ts';
import { abortWith } from '../abort.ts';
import type { ChildEnd, ChildWork, FromChild, ToChild } from './child-messages.ts';
import { startControlThread, type WorkAbort } from './control-thread.ts';
import type { Runner, RunnerModule } from './runner.ts';

const send = (message: FromChild) => {
  // A server that was killed cannot be told: the disconnect that follows ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
};

process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group: the server decides when its children stop.
onStopSignal(() => {});

const [, , module, settings, pipes] = process.argv;
const controlled = startControlThread(JSON.parse(pipes!));
// When the machine runs out of memory, an engine is to end and not the server or the database.
preferAsVictim();
const { createRunner } = (await import(module!)) as RunnerModule;
serve(createRunner(JSON.parse(settings!)), await controlled);

function serve(runner: Runner, aborts: MessagePort): void {
  let current = { number: 0, stop: new AbortController() };
  /** It may come before its work does. */
  let last: WorkAbort | undefined;
  const abort = (one: WorkAbort) => {
    last = one;
    if (one.work === current.number) abortWith(current.stop, one.reason);
  };
  aborts.on('message', abort).unref();
  process.on('message', ({ number, work: wanted }: ToChild) => {
    current = { number, stop: new AbortController() };
    if (last?.work === number) abort(last);
    void work(runner, wanted, lookingSignal(current.stop, aborts, abort));
  });
  void runner.warmUp?.().catch(() => {});
  send({ type: 'ready' });
}

/** A signal that looks for aborts when it is asked: in a long computation no message gets through by itself. */
function lookingSignal(
  { signal }: AbortController,
  aborts: MessagePort,
  abort: (one: WorkAbort) => void,
): AbortSignal {
  const throwIfAborted = () => {
    for (let next = receiveMessageOnPort(aborts); next; next = receiveMessageOnPort(aborts))
      abort(next.message);
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  return Object.assign(signal, { throwIfAborted });
}

async function work(runner: Runner, wanted: ChildWork, signal: AbortSignal): Promise<void> {
  const end = await resultOf(runner, wanted, signal).then(
    (result): ChildEnd => ({ type: 'result', result }),
    errorEnd,
  );
  send({ ...end, memory: process.memoryUsage.rss() });
}

async function resultOf(runner: Runner, wanted: ChildWork, signal: AbortSignal) {
  if (wanted.type === 'check-template') return runner.checkTemplate!(wanted.file);
  if (wanted.type === 'find-guests') return runner.findGuests!(wanted.photos);
  if (wanted.type === 'check-identity') return runner.checkIdentity!(wanted.made);
  if (wanted.type === 'picture-task') return runner.doPictureTask!(wanted.task);
  if (wanted.type === 'decode') return runner.decode!(wanted.task, () => send({ type: 'progress', done: 1 }));
  return runner.run!(wanted.request, {
    signal,
    handle: wanted.handle,
    progress: (done) => send({ type: 'progress', done }),
    saveHandle: async (saved) => send({ type: 'handle', handle: saved }),
  });
}

function errorEnd(error: unknown): ChildEnd {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof AppError) {
    const { code, message: sentence, retryable } = error;
    return { type: 'error', code, sentence, retryable, trace };
  }
  const sentence = 'Something went wrong on the server while making this.';
  return { type: 'error', code: 'ENGINE_BROKE', sentence, retryable: !isProgrammingError(error), trace };
}

/** What the same request runs into again: a wrong type, a size out of range, a stack that overflows. */
function isProgrammingError(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}
