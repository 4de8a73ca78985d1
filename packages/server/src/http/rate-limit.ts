import { AppError } from '../errors.ts';

export interface RateLimit {
  /** Counts a run of this account; the headers to answer with, or `RATE_LIMITED`. */
  take(accountId: string): Record<string, string>;
}

const minuteMs = 60_000;

/** At most so many runs in each minute, per account; 0 is no limit. */
export function rateLimit(perMinute: number): RateLimit {
  const used = new Map<string, number>();
  let minute = 0;
  return {
    take(accountId) {
      if (perMinute === 0) return {};
      const now = Date.now();
      if (Math.floor(now / minuteMs) !== minute) {
        minute = Math.floor(now / minuteMs);
        used.clear();
      }
      const count = (used.get(accountId) ?? 0) + 1;
      used.set(accountId, count);
      const reset = Math.ceil(((minute + 1) * minuteMs - now) / 1000);
      const headers = {
        ratelimit: `limit=${perMinute}, remaining=${Math.max(0, perMinute - count)}, reset=${reset}`,
      };
      if (count <= perMinute) return headers;
      throw new AppError(
        'RATE_LIMITED',
        `At most ${perMinute} runs a minute are taken. Try again in ${reset} seconds.`,
        {
          headers: { ...headers, 'retry-after': String(reset) },
        },
      );
    },
  };
}
