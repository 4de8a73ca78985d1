import type { Logger } from 'pino';
import type { AbortReason } from '../engines/abort.ts';
import type { Db } from '../store/db.ts';
import { findJobById } from '../store/job-records.ts';
import { type Claim, heartbeatMs, type Queue } from '../store/queue.ts';
import type { Changes } from './changes.ts';
import { hasEnded } from './read.ts';

interface Parts {
  db: Db;
  queue: Queue;
  changes: Changes;
  log: Logger;
}

/** Progress is written at most this often, and only when it has moved by so much. */
const progressMs = 500;
const progressStep = 0.01;

/** Renews a claim's lease while an engine works, and tells when the claim is lost: cancelled, erased or taken over. */
export function startHeartbeat(parts: Parts, claim: Claim, onLost: (reason: AbortReason) => void) {
  // A job that is tried again goes on from where its caller last saw it.
  let done = claim.job.progress;
  let written = done;
  const beat = async () => {
    written = done;
    const held = await parts.queue.heartbeat(claim, done).catch((error) => {
      parts.log.warn({ err: error, job: claim.job.id }, 'heartbeat failed');
      return true;
    });
    if (held) return;
    // Whoever took the job over goes on with what a remote engine makes of it; an ended job needs none of it.
    // Where that cannot be read, nobody is said to have cancelled it.
    const isOver = await parts.db.one(findJobById, { id: claim.job.id }).then(
      (job) => !job || hasEnded(job),
      () => false,
    );
    onLost(isOver ? 'cancelled' : 'taken-over');
  };
  const unsubscribe = parts.changes.subscribe(claim.job.id, () => void beat());
  const lease = setInterval(() => void beat(), heartbeatMs);
  const progress = setInterval(() => {
    if (done - written >= progressStep) void beat();
  }, progressMs);
  return {
    /** 0 to 1. It never goes back, and 1 is for jobs that have ended. */
    progress(fraction: number) {
      done = Math.min(0.99, Math.max(done, fraction));
    },
    stop() {
      unsubscribe();
      clearInterval(lease);
      clearInterval(progress);
    },
  };
}
