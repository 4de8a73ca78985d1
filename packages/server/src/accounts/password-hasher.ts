import { Worker } from 'node:worker_threads';
import type { Gate } from '../admission/gate.ts';
import type { KeyDerivation } from './password-hash.ts';

/** A thread that nobody needs costs 5 MB. */
const idleMs = 10_000;

/**
 * Derives keys one at a time, on a thread of its own. `crypto.scrypt` would take Node's four threads for files and
 * names: with 50 logins at once, reading a result took 64 s instead of 18 ms.
 */
export class PasswordHasher {
  readonly #gate: Gate;
  #thread: Worker | null = null;
  #derived: PromiseWithResolvers<Buffer> | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** The owner is an account, or the address of whoever wants to become known. */
  derive(task: KeyDerivation, owner: string): Promise<Buffer> {
    return this.#gate.run(owner, () => this.#derive(task));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#thread?.terminate();
  }

  async #derive(task: KeyDerivation): Promise<Buffer> {
    clearTimeout(this.#idleTimer);
    this.#thread ??= this.#start();
    this.#derived = Promise.withResolvers();
    this.#thread.postMessage(task);
    try {
      return await this.#derived.promise;
    } finally {
      this.#idleTimer = setTimeout(() => this.#endThread(), idleMs).unref();
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('./password-thread.ts', import.meta.url));
    thread.unref();
    thread.on('message', (key: Uint8Array) => this.#derived?.resolve(Buffer.from(key)));
    thread.on('error', (error) => {
      this.#thread = null;
      this.#derived?.reject(error);
    });
    return thread;
  }

  #endThread(): void {
    void this.#thread?.terminate();
    this.#thread = null;
  }
}
