import { pause } from './pause.ts';
import type { RunLimits } from './run-limits.ts';

/** The first poll comes soon, later ones rarer; each a little off, so that jobs do not poll all at once. */
export interface Polling {
  firstMs: number;
  growth: number;
  longestMs: number;
  jitter: number;
  /** A queue that does not answer for so long is given up. */
  troubleMs: number;
  /** For the queue to say that it stopped a run at its time limit. */
  overtimeMs: number;
}

/** What a queue says of a run. */
export interface Polled<T> {
  /** Once it has ended. */
  result?: T | undefined;
  /** Whether it waits no longer. */
  hasBegun: boolean;
}

/** A run in somebody else's queue. */
export interface PolledRun<T> {
  /** Throws where it ended badly, and where the queue knows no such run. */
  ask(): Promise<Polled<T>>;
  /** Whether the queue may answer the next time. */
  isPassing(error: unknown): boolean;
  /** What is thrown after too much of that. */
  givenUp(error: unknown): unknown;
  /** What is thrown where it waited, or ran, for longer than it may. */
  tooLate(hasBegun: boolean): unknown;
}

export interface PollOptions {
  limits: RunLimits;
  polling: Polling;
  signal: AbortSignal;
  /** What makes it ask at once, which happens once at most, and how it asks from then on. */
  news?: { come: Promise<unknown>; polling: Polling } | undefined;
}

/** Asks until the run has ended, within its limits, and gives its result. */
export async function pollRun<T>(
  run: PolledRun<T>,
  { limits, signal, news, ...options }: PollOptions,
): Promise<T> {
  let { polling } = options;
  let hasNews = false;
  let isTold = false;
  news?.come.then(() => {
    hasNews = true;
  });
  const sentAt = performance.now();
  let beganAt: number | null = null;
  let troubleSince: number | null = null;
  let waitMs = polling.firstMs;
  for (;;) {
    const found = await run.ask().catch((error: unknown) => {
      if (!run.isPassing(error)) throw error;
      troubleSince ??= performance.now();
      if (performance.now() - troubleSince > polling.troubleMs) throw run.givenUp(error);
      return null;
    });
    if (found) {
      troubleSince = null;
      if (found.result !== undefined) return found.result;
      // A worker that starts cold leaves its run in the queue meanwhile.
      if (found.hasBegun) beganAt ??= performance.now();
    }
    const limitMs = beganAt === null ? limits.waitingMs : limits.runningMs;
    if (performance.now() - (beganAt ?? sentAt) > limitMs + polling.overtimeMs)
      throw run.tooLate(beganAt !== null);
    const pauseMs = waitMs * (1 - polling.jitter + 2 * polling.jitter * Math.random());
    // News that came while it was asked may be of after the answer.
    await pause(pauseMs, signal, isTold ? undefined : news?.come);
    signal.throwIfAborted();
    waitMs = Math.min(waitMs * polling.growth, polling.longestMs);
    if (news && hasNews && !isTold) {
      isTold = true;
      polling = news.polling;
      waitMs = polling.firstMs;
    }
  }
}
