import { AppError } from '../../errors.ts';
import { abortWith } from '../abort.ts';
import type { EngineRequest } from '../engine.ts';
import type { FromChild, ToChild } from './pool.ts';
import type { Runner, RunnerModule } from './runner.ts';

const send = (message: FromChild) => {
  if (process.connected) process.send?.(message);
};

process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group: the server decides when its children stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const [, , module, settings = 'null'] = process.argv;
const { createRunner } = (await import(module!)) as RunnerModule;
serve(createRunner(JSON.parse(settings)));

function serve(runner: Runner): void {
  let stop = new AbortController();
  process.on('message', (message: ToChild) => {
    if (message.type === 'abort') {
      abortWith(stop, message.reason);
      return;
    }
    stop = new AbortController();
    void work(runner, message.request, message.handle, stop.signal);
  });
  void runner.warmUp?.().catch(() => {});
  send({ type: 'ready' });
}

async function work(
  runner: Runner,
  request: EngineRequest,
  handle: string | null,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await runner.run(request, {
      signal,
      handle,
      progress: (done) => send({ type: 'progress', done }),
      saveHandle: async (saved) => send({ type: 'handle', handle: saved }),
    });
    send({ type: 'result', result });
  } catch (error) {
    send(messageOf(error));
  }
}

function messageOf(error: unknown): FromChild {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return error instanceof AppError
    ? { type: 'error', code: error.code, sentence: error.message, retryable: error.retryable, trace }
    : {
        type: 'error',
        code: 'ENGINE_BROKE',
        sentence: 'Something went wrong on the server while making this.',
        retryable: true,
        trace,
      };
}
