/** Waits so long, or until the event, or until the signal: whichever is first. Never throws. */
export async function pause(ms: number, signal: AbortSignal, event?: Promise<unknown>): Promise<void> {
  const wake = Promise.withResolvers<void>();
  const timer = setTimeout(wake.resolve, ms);
  const abort = () => wake.resolve();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  await (event ? Promise.race([wake.promise, event]) : wake.promise);
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
}
