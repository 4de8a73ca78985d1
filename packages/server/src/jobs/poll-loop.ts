import { createWakeUp } from './wake-up.ts';

/** Asks for work again and again, one time after the other. */
export interface PollLoop {
  /** Asks at once, or once more after the time that is under way: no call is lost. */
  poll(): void;
  /** Asks no more, and waits for the time that is under way. */
  stop(): Promise<void>;
}

/** Asks now, whenever it is told to, and `intervalMs` after the last time at the latest. */
export function startPollLoop(
  intervalMs: number,
  ask: () => Promise<void>,
  onError: (error: unknown) => void,
): PollLoop {
  const { wake, wait } = createWakeUp();
  let stopping = false;
  const run = async () => {
    while (!stopping) {
      await ask().catch(onError);
      await wait(intervalMs);
    }
  };
  const running = run();
  return {
    poll: wake,
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
