/**
 * Which callers hang up on calls that wait, and after how long. Clients that were written for short answers have time
 * limits of 10 or 15 s: they would never see the end of a longer wait.
 */
export interface HangUps {
  /** How long a call of this caller may wait, of the time that it would. */
  shorten(caller: string, waitMs: number): number;
  /** The caller hung up on a call that had waited for so long. */
  note(caller: string, afterMs: number): void;
}

/** Who hangs up earlier has left, or was stopped: nobody sets a time limit as short as this. */
const leastMs = 500;
/** How much of the time after which a caller hung up the next call waits. */
const share = 0.8;
/** One hang-up may have been an accident. A second one after the same time is a time limit. */
const onceMs = 10 * 60_000;
const twiceMs = 24 * 3600_000;
const mostCallers = 10_000;

interface HangUp {
  afterMs: number;
  /** Until when calls are shortened because of it. */
  until: number;
}

export function createHangUps(now: () => number = () => performance.now()): HangUps {
  /** The latest last. What has ended is kept until there are too many: a second hang-up is told by the first. */
  const known = new Map<string, HangUp>();
  return {
    shorten(caller, waitMs) {
      const last = known.get(caller);
      return last && last.until > now() ? Math.min(waitMs, share * last.afterMs) : waitMs;
    },
    note(caller, afterMs) {
      if (afterMs < leastMs) return;
      const last = known.get(caller);
      known.delete(caller);
      const oldest = known.keys().next();
      if (known.size >= mostCallers && !oldest.done) known.delete(oldest.value);
      const counts = last && (last.until > now() || isSameLimit(last.afterMs, afterMs));
      known.set(caller, {
        afterMs: counts ? Math.min(last.afterMs, afterMs) : afterMs,
        until: now() + (last && isSameLimit(last.afterMs, afterMs) ? twiceMs : onceMs),
      });
    },
  };
}

/** A time limit is kept to some hundredths of a second, and longer where the machine is busy. */
function isSameLimit(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.1 * Math.max(a, b) + 200;
}
