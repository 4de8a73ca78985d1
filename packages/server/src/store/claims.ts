import type { Kysely } from 'kysely';
import { waiting } from './job-records.ts';
import type { Schema } from './schema.ts';
import { statement } from './statement.ts';

/** Changes to a claim that every queue makes: the job's row is the truth about who holds it. */

export const renewClaim = statement(
  (db, p: { id: string; claim: number; progress: number; lease_until: number }) =>
    db
      .updateTable('jobs')
      .set({ lease_until: p.lease_until, progress: p.progress })
      .where('id', '=', p.id)
      .where('claim', '=', p.claim)
      .where('state', '=', 'running'),
);

export const releaseClaim = statement(
  (db, p: { id: string; claim: number; run_after: number; retry: number; loss: number }) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'queued',
        // Raised here too: until the next take, the former holder's word would still count.
        claim: eb('claim', '+', eb.lit(1)),
        lease_until: null,
        run_after: p.run_after,
        retries: eb('retries', '+', p.retry),
        losses: eb('losses', '+', p.loss),
      }))
      .where('id', '=', p.id)
      .where('claim', '=', p.claim)
      .where('state', '=', 'running'),
);

export const expiredLeases = statement((db, p: { now: number }) =>
  db.selectFrom('jobs').selectAll().where('state', '=', 'running').where('lease_until', '<=', p.now),
);

/** The job of these families whose turn it is, of an account that does not have as many running as it may. */
export function nextInTurn(
  db: Kysely<Schema>,
  now: number,
  { families, perAccount }: { families: readonly string[]; perAccount: number },
) {
  return db
    .selectFrom('jobs')
    .where('state', '=', waiting)
    .where('run_after', '<=', now)
    .where('family', 'in', families)
    .$if(perAccount > 0, (jobs) => jobs.where('account_id', 'not in', busyAccounts(db, perAccount)))
    .orderBy('turn')
    .orderBy('id')
    .limit(1);
}

export function busyAccounts(db: Kysely<Schema>, perAccount: number) {
  return db
    .selectFrom('jobs')
    .select('account_id')
    .where('state', '=', 'running')
    .groupBy('account_id')
    .having((eb) => eb.fn.countAll<number>(), '>=', perAccount);
}
