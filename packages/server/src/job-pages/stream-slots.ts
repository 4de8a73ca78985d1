import { rateLimited } from '../errors.ts';

/** How many streams of changes an account or a wall has open on this node. */
export interface StreamSlots {
  /** Takes one and returns the function that gives it back; throws `RATE_LIMITED` when the owner has as many as it may. */
  acquire(owner: string): () => void;
}

const resetSeconds = 5;

/** The sentence says what to do when there is none left. */
export function createStreamSlots(limit: number, sentence: string): StreamSlots {
  const open = new Map<string, number>();
  return {
    acquire(owner) {
      const count = open.get(owner) ?? 0;
      if (count >= limit) {
        throw rateLimited(sentence, { limit, resetSeconds });
      }
      open.set(owner, count + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = open.get(owner)! - 1;
        if (left === 0) open.delete(owner);
        else open.set(owner, left);
      };
    },
  };
}
