/** How long is waited for what. */
export interface TimeLimits {
  /** Between polls while the socket sends messages, and while it does not. */
  pollMs: number;
  silentPollMs: number;
  /** A server that gives no sensible answer for so long is given up. */
  awayMs: number;
  /** An ended prompt may be missing from both lists for a moment. Longer, if nothing points to a restart. */
  missingMs: number;
  missingAfterOutageMs: number;
  /** For a server to come back, when none works, before a run fails. */
  noServerMs: number;
  /** Between health checks. */
  healthMs: number;
  /** For one answer of a server. */
  answerMs: number;
}

export const defaultTimeLimits: Readonly<TimeLimits> = {
  pollMs: 2000,
  silentPollMs: 700,
  awayMs: 30_000,
  missingMs: 10_000,
  missingAfterOutageMs: 2000,
  noServerMs: 30_000,
  healthMs: 5000,
  answerMs: 15_000,
};
