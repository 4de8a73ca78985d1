import { rateLimited } from '../errors.ts';

const windowMs = 15 * 60_000;
/** Beyond this, the oldest are forgotten. */
const mostKeys = 20_000;

/** Who tries to log in, and from where. */
export interface LoginAttempt {
  /** Null for a sign-in link, which names nobody. */
  email: string | null;
  address: string;
}

interface Failures {
  count: number;
  /** When the last one was, by the monotonic clock. */
  last: number;
  /** By the monotonic clock. */
  until: number;
}

/**
 * Counts failed logins of 15 minutes: for one account from one address, for one account from everywhere, and from one
 * address for all accounts. The first is the strict one, so that a stranger's guesses do not lock the owner out. Names
 * that no account has are counted alike. Each API node counts for itself.
 */
export class LoginFailures {
  readonly #limit: number;
  readonly #thenEveryMs: number;
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();

  /**
   * For one account from one address; 0 for no limit. At the limit nobody may try until the 15 minutes are over, or one
   * so often where `thenEveryMs` says: where strangers share an address, none of them can lock out the others.
   */
  constructor(limit: number, { thenEveryMs = windowMs, now = () => performance.now() } = {}) {
    this.#limit = limit;
    this.#thenEveryMs = thenEveryMs;
    this.#now = now;
  }

  /** Throws `RATE_LIMITED` while too many have failed. */
  check(attempt: LoginAttempt): void {
    for (const { key, limit } of this.#countersOf(attempt)) {
      const failures = this.#current(key);
      if (!failures || failures.count < limit) continue;
      const next = Math.min(failures.until, failures.last + this.#thenEveryMs);
      if (next <= this.#now()) continue;
      const seconds = Math.ceil((next - this.#now()) / 1000);
      throw rateLimited(`Too many failed logins. Retry after ${seconds} s.`, {
        limit,
        resetSeconds: seconds,
      });
    }
  }

  record(attempt: LoginAttempt): void {
    for (const { key } of this.#countersOf(attempt)) {
      const now = this.#now();
      const failures = this.#current(key) ?? { count: 0, last: now, until: now + windowMs };
      failures.count++;
      failures.last = now;
      this.#failures.set(key, failures);
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= mostKeys) break;
      this.#failures.delete(key);
    }
  }

  #current(key: string): Failures | undefined {
    const failures = this.#failures.get(key);
    return failures && failures.until > this.#now() ? failures : undefined;
  }

  #countersOf({ email, address }: LoginAttempt): { key: string; limit: number }[] {
    if (this.#limit === 0) return [];
    const network = networkOf(address);
    const ofAddress = { key: `address ${network}`, limit: 6 * this.#limit };
    if (email === null) return [ofAddress];
    return [
      { key: `pair ${network} ${email}`, limit: this.#limit },
      { key: `account ${email}`, limit: 10 * this.#limit },
      ofAddress,
    ];
  }
}

/** An IPv6 address by its first 64 bits: whoever has one has all of those. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':');
}
