import type { Claim } from '../store/queue.ts';
import { isStorageAway } from '../store/storage-unavailable.ts';
import { createRowFailures, isolateRowFailure } from './each-row.ts';
import { type EndParts, fail } from './end.ts';

/** A job that has taken this many workers down with it is not tried again. */
const maxLosses = 10;

/** Requeues the jobs whose workers are gone: those whose lease ended at or before `now`. */
export async function requeueExpired(
  parts: EndParts,
  now: number,
  failures = createRowFailures(parts.log),
): Promise<number> {
  const claims = await parts.queue.expired(now);
  for (const claim of claims)
    await isolateRowFailure(failures, { task: 'requeue', id: claim.job.id }, () =>
      requeueOrFail(parts, claim),
    );
  return claims.length;
}

async function requeueOrFail(parts: EndParts, claim: Claim): Promise<void> {
  const { id, family, losses, created_at } = claim.job;
  const line = { job: id, family, losses };
  if (losses >= maxLosses) {
    const sentence = 'The server was stopped again and again while making this.';
    await fail(parts, claim, sentence, { fault: sentence });
    parts.log.info(line, 'job failed');
    return;
  }
  try {
    await parts.db.transaction((tx) => parts.queue.requeue(tx, claim, created_at, 'loss'));
    parts.log.info(line, 'job requeued');
  } catch (error) {
    if (isStorageAway(error)) throw error;
    await fail(parts, claim, 'Something went wrong on the server while making this.', {
      fault: String(error),
    });
    parts.log.error({ ...line, err: error }, 'job failed: it could not be requeued');
  }
}
