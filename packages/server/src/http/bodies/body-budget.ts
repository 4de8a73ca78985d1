import { AppError } from '../../errors.ts';

/** Bodies without an image never wait. */
const smallBytes = 64 * 1024;

const overloaded = () =>
  new AppError('OVERLOADED', 'The server is receiving too much at once. Retry after 5 s.', {
    headers: { 'retry-after': '5' },
  });

/** What one body has of the budget. */
export interface BodyShare {
  /** Counts bytes that have come in. Gives a promise when there is no room for more until it is fulfilled. */
  take(bytes: number): Promise<void> | undefined;
  /** Gives all of it back. Whoever waits for room is told that there will be none. */
  release(): void;
}

interface Body {
  account: string;
  bytes: number;
  /** While it waits for room. */
  waiting?: { goOn(): void; refuse(): void } | undefined;
}

/**
 * The bytes of all bodies that are being received or worked on. Beyond the limit, connections of younger bodies are
 * not read for a while, which to their clients is no more than a slow network; what finds no room in time is answered
 * with 503. Two rules keep bodies from blocking each other: the oldest one always goes on, and an account that has half
 * of the budget gets more for its oldest body only.
 */
export class BodyBudget {
  readonly #limit: number;
  readonly #waitMs: number;
  /** Oldest first. */
  readonly #bodies = new Set<Body>();
  #bytes = 0;

  constructor(limit: number, waitMs: number) {
    this.#limit = limit;
    this.#waitMs = waitMs;
  }

  open(account: string): BodyShare {
    const body: Body = { account, bytes: 0 };
    this.#bodies.add(body);
    return {
      take: (bytes) => {
        body.bytes += bytes;
        this.#bytes += bytes;
        return this.#mayGoOn(body) ? undefined : this.#waitForRoom(body);
      },
      release: () => this.#release(body),
    };
  }

  #release(body: Body): void {
    if (!this.#bodies.delete(body)) return;
    this.#bytes -= body.bytes;
    body.waiting?.refuse();
    for (const other of this.#bodies) if (other.waiting && this.#mayGoOn(other)) other.waiting.goOn();
  }

  #mayGoOn(body: Body): boolean {
    if (body.bytes <= smallBytes) return true;
    const [oldest] = this.#bodies;
    if (this.#bytes > this.#limit && body !== oldest) return false;
    if (this.#bytes <= this.#limit / 2) return true;
    const ofAccount = [...this.#bodies].filter(({ account }) => account === body.account);
    return body === ofAccount[0] || ofAccount.reduce((sum, { bytes }) => sum + bytes, 0) <= this.#limit / 2;
  }

  #waitForRoom(body: Body): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    body.waiting = { goOn: resolve, refuse: () => reject(overloaded()) };
    const timer = setTimeout(body.waiting.refuse, this.#waitMs);
    return promise.finally(() => {
      clearTimeout(timer);
      body.waiting = undefined;
    });
  }
}
