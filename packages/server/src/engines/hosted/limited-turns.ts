import { createTurns } from '../turns.ts';
import { ServiceError, serviceFailures } from './service-failures.ts';

/** Makes a call when it is its turn, which it waits for no longer than it may. The call has a limit of its own. */
export type InLimitedTurn = <T>(
  { signal, waitingMs }: { signal: AbortSignal; waitingMs: number },
  call: () => Promise<T>,
) => Promise<T>;

/** Turns of the calls to one service: what it calls too many holds back all of them. */
export function createLimitedTurns(): InLimitedTurn {
  const inTurn = createTurns();
  return async ({ signal, waitingMs }, call) => {
    const waiting = AbortSignal.timeout(waitingMs);
    try {
      return await inTurn(AbortSignal.any([signal, waiting]), call);
    } catch (error) {
      signal.throwIfAborted();
      if (waiting.aborted && error === waiting.reason) throw new ServiceError(serviceFailures.tooMany);
      throw error;
    }
  };
}
