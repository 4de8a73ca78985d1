import { type FamilyName, familyOf } from '@guise/contract/families/families.ts';

/** How long a job may wait at a server for its turn, and how long it may run there then. */
export interface RunLimits {
  waitingMs: number;
  runningMs: number;
}

/** As a route of the operator's file may say it. */
export interface WantedLimits {
  waiting_seconds?: number | undefined;
  running_seconds?: number | undefined;
}

/**
 * What running takes on a consumer card, with the models loaded from disk first: of the reference workflows, an edit of
 * a picture takes up to two minutes and a video up to half an hour. A job waits for the one before it, which may take
 * all of its own time.
 */
const defaultSeconds = { image: 300, video: 1800, loop: 1800 };

/** For the photos on their way there and the result on its way back. */
const transferMs = 90_000;

export function runLimits(family: FamilyName, wanted: WantedLimits = {}): RunLimits {
  const usual = defaultSeconds[familyOf(family).output];
  return {
    waitingMs: (wanted.waiting_seconds ?? usual) * 1000,
    runningMs: (wanted.running_seconds ?? usual) * 1000,
  };
}

/** What the job as a whole may take, so that its own limit does not end what the server still may do. */
export const wholeLimit = ({ waitingMs, runningMs }: RunLimits): number => waitingMs + runningMs + transferMs;
