/** The time in milliseconds since 1970 that rows are written and compared with. Durations are measured elsewhere. */
export type Now = () => number;

/**
 * The furthest that a job is put off: a retry waits seconds. A time further ahead was written before a clock was set
 * back, and means nothing any more.
 */
export const furthestRunAfterMs = 3600_000;

/**
 * This machine's time, which does not go back while the process runs: where its clock is set back, time goes on from where
 * it was. Where it is set forward, as after a machine slept, time follows.
 */
export function steadyClock(): Now {
  let offset = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = performance.now();
    offset = Math.max(offset, Date.now() - elapsed);
    return Math.round(elapsed + offset);
  };
}
