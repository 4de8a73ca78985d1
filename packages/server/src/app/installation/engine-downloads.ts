import type { EngineDownload } from '@guise/contract/operator/engine-setup.ts';
import type { Logger } from 'pino';
import { chooseGetter, getFiles } from '../../engines/comfyui/setup/get-files.ts';
import type { ServerProposal, SetupProposal } from '../../engines/comfyui/setup/propose-setup.ts';
import { AppError } from '../../errors.ts';

/** Models that ComfyUI servers get while this server runs: one download at a time, as all share the line. */
export interface EngineDownloads {
  /** Begins in the background, unless one is under way. Each file goes on where an earlier download ended. */
  start(engine: string, proposal: SetupProposal, key: string): void;
  /** What came so far is kept. */
  stop(): void;
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
  const run = async ({ engine, servers, headers }: Wanted, signal: AbortSignal) => {
    const files = countOf(servers);
    const left = new Set<string>();
    let error: string | null = null;
    let before = 0;
    try {
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
      error = signal.aborted ? 'The download was stopped. What came so far is kept.' : sentenceOf(cause);
    }
    state = { running: null, last: { engine, left: [...left], error } };
  };
  return {
    state: () => state,
    stop: () => stopped.abort(),
    start(engine, { servers }, key) {
      const lacking = servers.filter(({ toGet }) => toGet.length > 0);
      const file = lacking[0]?.toGet[0]?.file;
      if (state.running || file === undefined) return;
      stopped = new AbortController();
      state = {
        running: { engine, file, number: 1, files: countOf(lacking), done: 0, total: 0 },
        last: null,
      };
      const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
      void run({ engine, servers: lacking, headers }, stopped.signal);
    },
  };
}

const countOf = (servers: readonly ServerProposal[]) =>
  servers.reduce((sum, { toGet }) => sum + toGet.length, 0);

const sentenceOf = (error: unknown) =>
  error instanceof AppError ? error.message : 'A file could not be written. The log has more.';
