/** Waits that others can cut short. */
export interface WakeUp {
  wake(): void;
  /** Until somebody has called `wake` since the last wait, or so long. */
  wait(ms: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    async wait(ms) {
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers();
    },
  };
}
