import { pause } from './pause.ts';

/** Remote runs that are being stopped in the background. */
export interface Stops {
  add(work: Promise<void>): void;
  /** Waits a while for those that are under way. */
  wait(): Promise<void>;
}

const longestMs = 5000;

export function createStops(): Stops {
  const underWay = new Set<Promise<void>>();
  return {
    add(work) {
      const end = work.finally(() => underWay.delete(end));
      underWay.add(end);
    },
    wait: () => pause(longestMs, new AbortController().signal, Promise.all(underWay)),
  };
}
