import type { Db } from '../store/db.ts';
import { listUnendedAmong } from '../store/job-records.ts';
import type { Changes } from './changes.ts';
import { createWakeUp } from './wake-up.ts';

/** A call that waits for the end of a job. */
export interface JobWait {
  /** Whether its time is up, its caller has gone or the server stops. */
  isOver(): boolean;
  /** Comes when the job may have ended since the last time, or when the wait is over. */
  changed(): Promise<void>;
  /** Must be called: what is open is kept. */
  close(): void;
}

/** The calls of this process that wait for jobs. Each costs a timer and a subscription, and no statement while it waits. */
export interface JobWaits {
  open(jobId: string, ms: number, signal: AbortSignal): JobWait;
  /** Ends every wait, now and from here on, so that all are answered with the current state. */
  stop(): void;
}

/** Messages between processes may be lost: so often the jobs of all waits are read again, together. */
const rereadIntervalMs = 5000;
/** How many jobs a statement asks about. */
const jobsInAStatement = 1000;

interface OpenWait {
  jobId: string;
  wake(): void;
}

export function createJobWaits(
  { db, changes }: { db: Db; changes: Changes },
  intervalMs = rereadIntervalMs,
): JobWaits {
  const waits = new Set<OpenWait>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let rereading = false;

  const wakeEnded = async () => {
    const ids = [...new Set([...waits].map(({ jobId }) => jobId))];
    const ended = new Set(ids);
    for (let at = 0; at < ids.length; at += jobsInAStatement) {
      const some = JSON.stringify(ids.slice(at, at + jobsInAStatement));
      for (const { id } of await db.all(listUnendedAmong, { ids: some })) ended.delete(id);
    }
    for (const { jobId, wake } of waits) if (ended.has(jobId)) wake();
  };
  const reread = async () => {
    if (rereading) return;
    rereading = true;
    // A database that is away is asked again at the next interval.
    await wakeEnded().catch(() => {});
    rereading = false;
  };

  return {
    open(jobId, ms, signal) {
      const until = performance.now() + ms;
      const { wake, wait } = createWakeUp();
      const opened = { jobId, wake };
      const unsubscribe = changes.subscribe(jobId, wake);
      signal.addEventListener('abort', wake, { once: true });
      waits.add(opened);
      timer ??= setInterval(reread, intervalMs).unref();
      return {
        isOver: () => stopped || signal.aborted || performance.now() >= until,
        changed: () => wait(Math.max(0, until - performance.now())),
        close() {
          unsubscribe();
          signal.removeEventListener('abort', wake);
          waits.delete(opened);
          if (waits.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    stop() {
      stopped = true;
      for (const { wake } of waits) wake();
    },
  };
}
