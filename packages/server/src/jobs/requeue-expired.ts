import { type EndParts, fail } from './end.ts';

/** A job that has taken this many workers down with it is not tried again. */
const maxLosses = 10;

/** Requeues the jobs whose workers are gone: those whose lease ended at or before `now`. */
export async function requeueExpired(parts: EndParts, now: number): Promise<number> {
  const claims = await parts.queue.expired(now);
  for (const claim of claims) {
    const { id, family, losses, created_at } = claim.job;
    const line = { job: id, family, losses };
    if (losses >= maxLosses) {
      const sentence = 'The server was stopped again and again while making this.';
      await fail(parts, claim, sentence, sentence);
      parts.log.info(line, 'job failed');
    } else {
      await parts.db.transaction((tx) => parts.queue.requeue(tx, claim, created_at, 'loss'));
      parts.log.info(line, 'job requeued');
    }
  }
  return claims.length;
}
