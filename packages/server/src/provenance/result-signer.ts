import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import { describeIdentity, type SigningIdentity } from './signing-identity.ts';
import type { FromSigningThread, ToSigningThread } from './signing-thread.ts';

export interface ResultSigner {
  /** Starts what signing needs in the background, so that a result need not wait for it. */
  prepare(): void;
  /** Rejects with a sentence where the certificate cannot sign. */
  check(): Promise<void>;
  /** Puts a C2PA manifest into the file. Where that fails, the file stays as it is and the reason is logged. */
  sign(result: { file: string; type: string }): Promise<void>;
  stop(): Promise<void>;
}

/** For servers that sign nothing. */
export const noSigner: ResultSigner = {
  prepare() {},
  async check() {},
  async sign() {},
  async stop() {},
};

/** Beyond this the library reads a file in pieces of a few bytes: 43 MB took 0.8 s, 72 MB over a minute. */
const mostBytes = 50 * 1024 * 1024;
const timeLimitMs = 30_000;
/** The thread holds some 100 MB, which are given back when nothing was signed for so long. */
const idleMs = 5 * 60_000;

/** One thread at most, which signs one file after the other: the HTTP thread moves none of their bytes. */
export function resultSigner(identity: SigningIdentity, log: Logger): ResultSigner {
  const { validTo } = describeIdentity(identity);
  let thread: SigningThread | null = null;
  let last: Promise<void> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const ended = thread;
    thread = null;
    await ended?.worker.terminate();
  };
  const running = () => {
    clearTimeout(idle);
    idle = setTimeout(() => void end(), idleMs).unref();
    if (thread) return thread;
    const started = startThread(identity);
    started.worker.once('exit', () => {
      if (thread === started) thread = null;
    });
    thread = started;
    return started;
  };
  const signOne = async ({ file, type }: { file: string; type: string }) => {
    if (Date.now() > +validTo) throw new Error(`the certificate expired on ${validTo.toISOString()}`);
    const { size } = await stat(file);
    if (size > mostBytes) throw new Error(`the file has ${size} bytes, and at most ${mostBytes} are signed`);
    const { worker, ready } = running();
    await ready;
    const answer = nextAnswer(worker);
    worker.postMessage({ file, type } satisfies ToSigningThread);
    await answer;
  };

  return {
    prepare: () => void running(),
    check: () => running().ready,
    sign(result) {
      last = last
        .then(() => signOne(result))
        .catch(async (error) => {
          log.error({ err: error }, 'a result has no C2PA manifest: it could not be signed');
          // After an error inside WebAssembly nothing is known of its memory.
          await end();
        });
      return last;
    },
    async stop() {
      await last;
      await end();
    },
  };
}

interface SigningThread {
  worker: Worker;
  /** Rejects where the certificate cannot be used. */
  ready: Promise<void>;
}

function startThread(identity: SigningIdentity): SigningThread {
  const worker = new Worker(new URL('./signing-thread.ts', import.meta.url), {
    workerData: identity,
    env: {},
    execArgv: [],
  });
  worker.unref();
  // Whoever waits for an answer gets the reason; a thread that ends while it is idle is replaced.
  worker.on('error', () => {});
  const ready = nextAnswer(worker).catch((error) => {
    throw new AppError('BAD_SETTING', error.message, { cause: error });
  });
  // Whoever signs with this thread gets the reason.
  ready.catch(() => {});
  return { worker, ready };
}

async function nextAnswer(worker: Worker): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(new Error('signing took too long')), timeLimitMs);
  try {
    const exit = once(worker, 'exit', { signal }).then(([code]) => {
      throw new Error(`the signing thread ended with ${code}`);
    });
    // An error of the thread rejects the wait for its message.
    const [message] = await Promise.race([once(worker, 'message', { signal }), exit]);
    const answer = message as FromSigningThread;
    if (!answer.ok) throw new Error(answer.reason);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
