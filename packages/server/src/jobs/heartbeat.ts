import type { Logger } from 'pino';
import type { AbortReason } from '../engines/abort.ts';
import type { Db } from '../store/db.ts';
import { findJobById, saveHandle } from '../store/job-records.ts';
import { heartbeatMs } from '../store/lease.ts';
import type { Claim, Queue } from '../store/queue.ts';
import type { JobRow } from '../store/schema.ts';
import type { Changes } from './changes.ts';
import { hasEnded } from './read.ts';

/** A row whose lease is renewed while its holder works on it. */
interface HeldRow {
  id: string;
  /** False when the claim is lost. */
  renew(): Promise<boolean>;
  onLost(): void;
}

export interface HeldLease {
  renewNow(): void;
  stop(): void;
}

/** Renews a lease until stopped: at intervals, and when the row has changed, which may have taken it away. */
export function holdLease({ changes, log }: { changes: Changes; log: Logger }, row: HeldRow): HeldLease {
  const renewNow = () =>
    void row.renew().then(
      (held) => {
        if (!held) row.onLost();
      },
      // A database that is away says nothing of the claim.
      (error) => log.warn({ err: error, row: row.id }, 'heartbeat failed'),
    );
  const unsubscribe = changes.subscribe(row.id, renewNow);
  const timer = setInterval(renewNow, heartbeatMs);
  return {
    renewNow,
    stop() {
      unsubscribe();
      clearInterval(timer);
    },
  };
}

interface Parts {
  db: Db;
  queue: Queue;
  changes: Changes;
  log: Logger;
}

/** Progress is written at most this often, and only when it has moved by so much. */
const progressMs = 1000;
const progressStep = 0.05;

/** Holds a job's lease while an engine works, and tells when the claim is lost: cancelled, erased or taken over. */
export function startHeartbeat(parts: Parts, claim: Claim, onLost: (reason: AbortReason) => void) {
  const { id } = claim.job;
  // A job that is tried again goes on from where its caller last saw it.
  let done = claim.job.progress;
  let written = done;
  // Whoever took the job over goes on with what a remote engine makes of it; an ended job needs none of it.
  // Where that cannot be read, nobody is said to have cancelled it.
  const readReason = () => parts.db.one(findJobById, { id }).then(reasonOfLoss, () => 'taken-over' as const);
  const lease = holdLease(parts, {
    id,
    renew() {
      written = done;
      return parts.queue.heartbeat(claim, done);
    },
    onLost: async () => onLost(await readReason()),
  });
  const timer = setInterval(() => {
    if (done - written >= progressStep) lease.renewNow();
  }, progressMs);
  return {
    /** 0 to 1. It never goes back, and 1 is for jobs that have ended. */
    progress(fraction: number) {
      done = Math.min(0.99, Math.max(done, fraction));
    },
    stop() {
      lease.stop();
      clearInterval(timer);
    },
  };
}

/** Why a claim on a job is lost, by the job's row as it is now. */
function reasonOfLoss(job: JobRow | undefined): AbortReason {
  if (!job || job.cancelled === 1) return 'cancelled';
  return hasEnded(job) ? 'ended' : 'taken-over';
}

/** Stores what a run at a server is found again by. Throws where the claim is lost: somebody else goes on with the job. */
export async function storeHandle({ db }: Pick<Parts, 'db'>, claim: Claim, handle: string): Promise<void> {
  const rows = await db.run(saveHandle, { id: claim.job.id, claim: claim.token, handle });
  if (rows === 0) throw new Error('the claim is lost');
}
