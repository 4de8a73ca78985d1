import { familyPaths } from '@guise/contract/families/family-paths.ts';
import type { ImageJob, LivingPortraitJob, VideoJob } from '@guise/contract/jobs.ts';
import { GuiseError } from '../guise-error.ts';
import { pause, type Transport } from '../transport.ts';
import type { RunFamily } from './family-inputs.ts';
import { type JobEvent, type JobProgress, streamJobEvents } from './job-events.ts';

/** A job as the server knows it: its id, and the family whose status path it is read on. */
export interface JobReference<F extends RunFamily = RunFamily> {
  id: string;
  family: F;
}

export interface WaitOptions {
  /** Called at every change, the last one included. */
  onProgress?: ((job: JobProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type StatusOf<F extends RunFamily> = F extends 'single_frame_video' | 'first_last_frame_video'
  ? VideoJob
  : F extends 'living_portrait'
    ? LivingPortraitJob
    : ImageJob;

const mostStreams = 8;
const [firstPauseMs, longestPauseMs] = [500, 5_000];
/** How long a server may be away, for a restart or an update, before a wait gives up. */
const outageMs = 60_000;
/** How long the server may hold an answer: shorter where progress is wanted, which only answers bring. */
const [holdSeconds, holdWithProgressSeconds] = [25, 2];

/** The state of a job now, or after at most `waitSeconds` when it ends earlier. */
export function readStatus<F extends RunFamily>(
  transport: Transport,
  { id, family }: JobReference<F>,
  { waitSeconds = 0, signal }: { waitSeconds?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<StatusOf<F>> {
  const path = familyPaths[family].status.replace('{job_id}', encodeURIComponent(id));
  return transport.request('POST', path, { headers: { prefer: `wait=${waitSeconds}` }, signal });
}

/**
 * Waits until a job has ended. Events tell of every change at once. Where they do not get through, the server is asked
 * to hold its answer until the job has ended, and where it does not do that, it is asked again and again.
 */
export async function waitForJob<F extends RunFamily>(
  transport: Transport,
  job: JobReference<F>,
  { onProgress, signal }: WaitOptions = {},
): Promise<StatusOf<F>> {
  const report = reportChanges(onProgress);
  await followEvents(transport, job.id, { report, signal });
  const waitSeconds = onProgress ? holdWithProgressSeconds : holdSeconds;
  let lastAnswer = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const askedAt = performance.now();
    try {
      const status = await readStatus(transport, job, { waitSeconds, signal });
      lastAnswer = performance.now();
      report({ id: job.id, status: status.status, progress: hasEnded(status) ? 1 : (status.progress ?? 0) });
      if (hasEnded(status)) return status;
    } catch (error) {
      const mayPass = error instanceof GuiseError && error.retryable;
      if (!mayPass || performance.now() - lastAnswer > outageMs) throw error;
    }
    // An answer that was held has taken its pause already.
    await pause(Math.max(0, askedAt + pauseMs - performance.now()), signal);
  }
}

const hasEnded = ({ status }: { status: string }) => status === 'COMPLETED' || status === 'FAILED';

/** Calls back only when something is new. */
function reportChanges(onProgress: WaitOptions['onProgress']): (job: JobProgress) => void {
  let last = '';
  return (job) => {
    const text = `${job.status} ${job.progress}`;
    if (text !== last) onProgress?.(job);
    last = text;
  };
}

interface FollowOptions {
  report(job: JobProgress): void;
  signal: AbortSignal | undefined;
}

/** What the stream gives, without an error where the server has none: the status call tells why. */
async function* whileAnswered(stream: AsyncIterable<JobEvent>): AsyncGenerator<JobEvent> {
  try {
    yield* stream;
  } catch (error) {
    if (!(error instanceof GuiseError)) throw error;
  }
}

/** Returns when the job has ended, or when events do not get through. A stream that is cut is opened again. */
async function followEvents(
  transport: Transport,
  id: string,
  { report, signal }: FollowOptions,
): Promise<void> {
  for (let streams = 0; streams < mostStreams; streams++) {
    let heard = false;
    for await (const { type, job } of whileAnswered(streamJobEvents(transport, id, signal))) {
      heard = true;
      report(type === 'end' ? { ...job, progress: 1 } : job);
      if (type === 'end') return;
    }
    if (!heard) return;
  }
}
