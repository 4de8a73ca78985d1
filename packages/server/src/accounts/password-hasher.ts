import { Worker } from 'node:worker_threads';
import { rateLimited } from '../errors.ts';
import type { KeyDerivation } from './password-hash.ts';

interface Waiting {
  task: KeyDerivation;
  resolve(key: Buffer): void;
  reject(error: unknown): void;
}

/** Each takes about 80 ms, so the last one waits less than a second. */
const mostWaiting = 8;
/** A thread that nobody needs costs 5 MB. */
const idleMs = 10_000;

/**
 * Derives keys one at a time, on a thread of its own. `crypto.scrypt` would take Node's four threads for files and
 * names: with 50 logins at once, reading a result took 64 s instead of 18 ms.
 */
export class PasswordHasher {
  #thread: Worker | null = null;
  /** The first one is being derived. */
  readonly #waiting: Waiting[] = [];
  #idleTimer: NodeJS.Timeout | undefined;

  /** Rejects with `RATE_LIMITED` when too many wait. */
  derive(task: KeyDerivation): Promise<Buffer> {
    if (this.#waiting.length > mostWaiting) {
      return Promise.reject(
        rateLimited('Too many logins at once. Retry after 2 s.', { limit: mostWaiting, resetSeconds: 2 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      if (this.#waiting.length === 1) this.#postFirst();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#thread?.terminate();
  }

  #postFirst(): void {
    clearTimeout(this.#idleTimer);
    this.#thread ??= this.#start();
    this.#thread.postMessage(this.#waiting[0]!.task);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./password-thread.ts', import.meta.url));
    thread.unref();
    thread.on('message', (key: Uint8Array) => this.#settle((first) => first.resolve(Buffer.from(key))));
    thread.on('error', (error) => {
      this.#thread = null;
      this.#settle((first) => first.reject(error));
    });
    return thread;
  }

  #settle(answer: (first: Waiting) => void): void {
    const first = this.#waiting.shift();
    if (first) answer(first);
    if (this.#waiting.length > 0) this.#postFirst();
    else this.#idleTimer = setTimeout(() => this.#endThread(), idleMs).unref();
  }

  #endThread(): void {
    void this.#thread?.terminate();
    this.#thread = null;
  }
}
