import { AppError } from '../../errors.ts';
import type { EngineContext, EngineRequest, EngineResult } from '../engine.ts';
import { translateRenderError } from '../local/render-errors.ts';
import type { FromChild, ToChild } from './pool.ts';

interface EngineModule {
  configure?(settings: unknown): void;
  run(request: EngineRequest, context: EngineContext): Promise<EngineResult>;
  warmUp?(): Promise<void>;
}

const say = (message: FromChild) => {
  if (process.connected) process.send?.(message);
};

process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches the whole group: the server decides when its children stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const module = (await import(process.argv[2]!)) as EngineModule;
module.configure?.(JSON.parse(process.argv[3] ?? 'null'));
let stop = new AbortController();

process.on('message', (message: ToChild) => {
  if (message.type === 'abort') stop.abort('cancelled');
  else void work(message.request, message.handle);
});
void module.warmUp?.().catch(() => {});
say({ type: 'ready' });

async function work(request: EngineRequest, handle: string | null): Promise<void> {
  stop = new AbortController();
  try {
    const result = await module.run(request, {
      signal: stop.signal,
      handle,
      progress: (done) => say({ type: 'progress', done }),
      saveHandle: async (saved) => say({ type: 'handle', handle: saved }),
    });
    say({ type: 'result', result });
  } catch (error) {
    say(messageOf(translateRenderError(error)));
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
