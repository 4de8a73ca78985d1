/** Waits so long, or until something else happens, or until the signal: whichever is first. Never throws. */
export async function pause(ms: number, signal: AbortSignal, other?: Promise<unknown>): Promise<void> {
  const wake = Promise.withResolvers<void>();
  const timer = setTimeout(wake.resolve, ms);
  const abort = () => wake.resolve();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  await (other ? Promise.race([wake.promise, other]) : wake.promise);
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
}
