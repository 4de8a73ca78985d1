/** Runs work that it is given, at most so much of it at once; the rest waits in the order in which it came. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = limitByOwner(most, most);
  return (work) => limit('', work);
}

/**
 * Runs work of several owners, at most so much of it at once, and so much of each owner. Owners whose work waits take
 * turns, each with its own in the order in which it came.
 */
export function limitByOwner(
  most: number,
  mostOfOwner: number,
): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, number>();
  let total = 0;
  /** Whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  const isFree = (owner: string) => total < most && (running.get(owner) ?? 0) < mostOfOwner;
  const count = (owner: string, by: number) => {
    total += by;
    const left = (running.get(owner) ?? 0) + by;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
  };
  const moveLast = (owner: string) => {
    const queue = waiting.get(owner);
    if (!queue) return;
    waiting.delete(owner);
    waiting.set(owner, queue);
  };
  /** Whoever ends hands its place on, so that nobody who comes later takes it. */
  const startNext = () => {
    for (const [owner, queue] of waiting) {
      if (!isFree(owner)) continue;
      const start = queue.shift()!;
      if (queue.length === 0) waiting.delete(owner);
      count(owner, 1);
      start();
      return;
    }
  };
  return async (owner, work) => {
    if (isFree(owner) && !waiting.has(owner)) count(owner, 1);
    else
      await new Promise<void>((resolve) => {
        const queue = waiting.get(owner);
        if (queue) queue.push(resolve);
        else waiting.set(owner, [resolve]);
      });
    try {
      return await work();
    } finally {
      count(owner, -1);
      moveLast(owner);
      startNext();
    }
  };
}
