import { rateLimited } from '../../errors.ts';

/** How many streams of changes an account has open on this node. */
export interface StreamSlots {
  /** Takes one and returns the function that gives it back; throws `RATE_LIMITED` when the account has as many as it may. */
  acquire(accountId: string): () => void;
}

const resetSeconds = 5;

export function createStreamSlots(limit: number): StreamSlots {
  const open = new Map<string, number>();
  return {
    acquire(accountId) {
      const count = open.get(accountId) ?? 0;
      if (count >= limit) {
        throw rateLimited(`An account has at most ${limit} streams of changes. Close one first.`, {
          limit,
          resetSeconds,
        });
      }
      open.set(accountId, count + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = open.get(accountId)! - 1;
        if (left === 0) open.delete(accountId);
        else open.set(accountId, left);
      };
    },
  };
}
