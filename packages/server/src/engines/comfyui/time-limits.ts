/** How long is waited for what. One table, so that tests can be quick. */
export const patience = {
  /** Between looks while the socket speaks, and while it does not. */
  lookMs: 2000,
  silentLookMs: 700,
  /** A server that gives no sensible answer for so long is given up. */
  awayMs: 30_000,
  /** An ended prompt may be missing from both lists for a moment. Longer, if nothing points to a restart. */
  missingMs: 10_000,
  missingAfterOutageMs: 2000,
  /** For a server to come back, when none works, before a run is told so. */
  noServerMs: 30_000,
  /** Between health checks. */
  healthMs: 5000,
  /** For one answer of a server. */
  answerMs: 15_000,
};
