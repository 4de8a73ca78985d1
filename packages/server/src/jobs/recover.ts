import { type EndParts, fail } from './end.ts';

/** A job that has taken this many workers down with it is not tried again. */
const maxLosses = 10;

/** Puts back the jobs whose workers are gone: those whose lease ended at or before `now`. */
export async function recoverLost(parts: EndParts, now: number): Promise<number> {
  const claims = await parts.queue.expired(now);
  for (const claim of claims) {
    if (claim.job.losses >= maxLosses) {
      const sentence = 'The server was stopped again and again while making this.';
      await fail(parts, claim, sentence, sentence);
    } else {
      await parts.db.transaction((tx) => parts.queue.requeue(tx, claim, claim.job.created_at, 'loss'));
    }
  }
  return claims.length;
}
