import { pause } from './pause.ts';
import { UpstreamError } from './upstream.ts';

const firstHoldMs = 1000;
const longestHoldMs = 60_000;

/** Repeats calls that were answered as too many, and holds back all others meanwhile. */
export function createTurns(): <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T> {
  let notBefore = 0;
  let holdMs = firstHoldMs;
  return async (signal, call) => {
    for (;;) {
      while (performance.now() < notBefore) {
        await pause(notBefore - performance.now() + Math.random() * 500, signal);
        signal.throwIfAborted();
      }
      try {
        const answer = await call();
        holdMs = firstHoldMs;
        return answer;
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.status !== 429) throw error;
        notBefore = Math.max(notBefore, performance.now() + (error.retryAfterMs ?? holdMs));
        holdMs = Math.min(holdMs * 2, longestHoldMs);
      }
    }
  };
}
