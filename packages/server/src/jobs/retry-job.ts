import { AppError } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { findJobById } from '../store/job-records.ts';
import type { Queue } from '../store/queue.ts';

/**
 * Takes a running job from the worker that holds it, for another one. A job that has ended cannot be retried: its
 * credits are settled, and its photos are deleted.
 */
export async function retryJob({ db, queue }: { db: Db; queue: Queue }, id: string): Promise<void> {
  const job = await db.one(findJobById, { id });
  if (!job) throw new AppError('USAGE', `There is no job ${id}.`);
  if (job.state === 'queued') throw new AppError('USAGE', `${id} already waits to be taken.`);
  const claim = { job, token: job.claim };
  const requeued =
    job.state === 'running' && (await db.transaction((tx) => queue.requeue(tx, claim, db.now(), 'loss')));
  if (requeued) return;
  throw new AppError(
    'USAGE',
    `${id} has ended: its credits are settled and its photos deleted, so its caller must submit it anew.`,
  );
}
