/**
 * Keeps work away from a server that is gone or fails job after job. Being reached again ends the first; the
 * second ends with a rest that doubles, after which one job may try.
 */
export interface Circuit {
  /** Whether work may go there now. `busy` is how much is there already. */
  allows(busy: number): boolean;
  reached(): void;
  unreached(): void;
  worked(): void;
  failed(): void;
  state(): 'up' | 'down' | 'resting';
}

const failuresInARow = 3;
const firstRestMs = 15_000;
const longestRestMs = 5 * 60_000;

export function circuit(now: () => number = () => performance.now()): Circuit {
  let down = false;
  let failures = 0;
  let restMs = firstRestMs;
  let restUntil = 0;
  return {
    allows(busy) {
      if (down || now() < restUntil) return false;
      return failures < failuresInARow || busy === 0;
    },
    reached() {
      down = false;
    },
    unreached() {
      down = true;
    },
    worked() {
      down = false;
      failures = 0;
      restMs = firstRestMs;
      restUntil = 0;
    },
    failed() {
      if (++failures < failuresInARow) return;
      restUntil = now() + restMs;
      restMs = Math.min(restMs * 2, longestRestMs);
    },
    state: () => (down ? 'down' : now() < restUntil ? 'resting' : 'up'),
  };
}
