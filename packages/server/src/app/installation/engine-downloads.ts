import type { EngineDownload } from '@guise/contract/operator/engine-setup.ts';
import type { Logger } from 'pino';
import type { ServerProposal, SetupProposal } from '../../engines/comfyui/setup/propose-setup.ts';
import { AppError } from '../../errors.ts';
import { serverIsStopping } from './server-is-stopping.ts';

/** Models that ComfyUI servers get while this server runs: one download at a time, as all share the line. */
export interface EngineDownloads {
  /**
   * Begins in the background, unless one is under way; after the end of one that is being stopped. Each file goes on
   * where an earlier download ended.
   */
  start(engine: string, proposal: SetupProposal, key: string): Promise<void>;
  /** What came so far is kept. */
  stop(): void;
  /** Stops it and waits for its end. No other one begins after that. */
  close(): Promise<void>;
  state(): EngineDownload;
}

interface Wanted {
  engine: string;
  servers: readonly ServerProposal[];
  headers: Record<string, string>;
}

export function createEngineDownloads(log: Logger): EngineDownloads {
  let state: EngineDownload = { running: null, last: null };
  let stopped = new AbortController();
  let ended = Promise.resolve();
  let isClosed = false;
  const run = async ({ engine, servers, headers }: Wanted, signal: AbortSignal) => {
    const files = countOf(servers);
    const left = new Set<string>();
    let error: string | null = null;
    let before = 0;
    try {
      // Loaded when it is needed: the table of models is large.
      const { chooseGetter, getFiles } = await import('../../engines/comfyui/setup/get-files.ts');
      for (const one of servers) {
        const names = one.toGet.map(({ file }) => file);
        const rest = await getFiles(one, chooseGetter(one.server, undefined), {
          headers,
          signal,
          token: process.env.HF_TOKEN,
          progress(file, done, total) {
            const number = before + Math.max(0, names.indexOf(file)) + 1;
            state = { ...state, running: { engine, file, number, files, done, total } };
          },
          told(sentence) {
            error = sentence;
          },
        });
        for (const { file } of rest) left.add(file);
        before += names.length;
      }
    } catch (cause) {
      if (!signal.aborted) log.error({ err: cause, engine }, 'models could not be downloaded');
      error = sentenceOf(cause, signal);
    }
    state = { running: null, last: { engine, left: [...left], error } };
  };
  return {
    state: () => state,
    stop: () => stopped.abort(),
    async close() {
      isClosed = true;
      stopped.abort();
      await ended;
    },
    async start(engine, { servers }, key) {
      if (stopped.signal.aborted) await ended;
      if (isClosed) throw serverIsStopping();
      if (state.running) return;
      const lacking = servers.filter(({ toGet }) => toGet.length > 0);
      const file = lacking[0]?.toGet[0]?.file;
      if (file === undefined) {
        state = { running: null, last: { engine, left: [], error: nothingToGet } };
        return;
      }
      stopped = new AbortController();
      state = {
        running: { engine, file, number: 1, files: countOf(lacking), done: 0, total: 0 },
        last: null,
      };
      const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
      ended = run({ engine, servers: lacking, headers }, stopped.signal);
    },
  };
}

const nothingToGet = 'There is nothing to download for these servers.';

const countOf = (servers: readonly ServerProposal[]) =>
  servers.reduce((sum, { toGet }) => sum + toGet.length, 0);

function sentenceOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof AppError) return error.message;
  if (aborted) return 'The download was stopped. What came so far is kept.';
  return 'A file could not be written. The log has more.';
}
