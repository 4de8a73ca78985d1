import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServerProcess {
  pid: number;
  /** Where it listens; rejects when the process ends before it does. */
  url: Promise<string>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Comes when the next job begins, or the process ends. */
  nextJob(): Promise<unknown>;
  /** Calls back for every job that begins, or is made to stop. */
  onJob(what: 'began' | 'stopped', listener: (jobId: string) => void): void;
  kill(signal: NodeJS.Signals): void;
  send(message: object): void;
  /** What its next message of this name says. */
  told<T>(what: string): Promise<T>;
}

/** Starts `serve.ts` on a data folder. `jobMs` is how long its jobs take, such as `20-60`. */
export const startServerProcess = (dataDir: string, jobMs = '20-60') =>
  startProcess(new URL('./serve.ts', import.meta.url), [dataDir, jobMs]);

/** A process that tells where it listens, or nothing, and then which jobs it begins. */
export function startProcess(module: URL, words: string[], env = process.env): ServerProcess {
  const child = fork(module, words, {
    stdio: ['ignore', process.env.GUISE_LOG_LEVEL ? 'inherit' : 'ignore', 'inherit', 'ipc'],
    // Most of a start is reading modules: a crash test starts hundreds of servers.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'guise-test-compile-cache'), ...env },
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const heard = (what: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const listen = (message: Record<string, unknown>) => {
        if (!(what in message)) return;
        child.off('message', listen);
        resolve(message);
      };
      child.on('message', listen);
    });
  const url = Promise.race([
    heard('url').then(({ url }) => url as string),
    exited.then(({ code, signal }) => {
      throw new Error(`the server ended before it listened: ${code ?? signal}`);
    }),
  ]);
  url.catch(() => {});
  return {
    pid: child.pid!,
    url,
    exited,
    nextJob: () => Promise.race([heard('began'), exited]),
    onJob: (what, listener) =>
      void child.on('message', (message: Record<string, string>) => {
        if (what in message) listener(message[what]!);
      }),
    kill: (signal) => void child.kill(signal),
    send: (message) => void child.send(message),
    told: async <T>(what: string) => (await heard(what))[what] as T,
  };
}
