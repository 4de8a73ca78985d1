import type { DeadLetterRow } from './schema.ts';
import { columns, statement } from './statement.ts';

/** Changes no row when the job has one. */
export const insertDeadLetter = statement((db, p: DeadLetterRow) =>
  db
    .insertInto('dead_letters')
    .values(columns(p, ['job_id', 'account_id', 'family', 'reason', 'retries', 'losses', 'created_at']))
    .onConflict((oc) => oc.column('job_id').doNothing()),
);

/** Newest first. */
export const listDeadLetters = statement((db, p: { limit: number }) =>
  db
    .selectFrom('dead_letters')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc')
    .limit(p.limit),
);

export const findDeadLetter = statement((db, p: { job_id: string }) =>
  db.selectFrom('dead_letters').select('reason').where('job_id', '=', p.job_id),
);

export const countDeadLetters = statement((db, _: Record<string, never>) =>
  db.selectFrom('dead_letters').select(({ fn }) => fn.countAll<number>().as('count')),
);

export const deleteDeadLetter = statement((db, p: { job_id: string }) =>
  db.deleteFrom('dead_letters').where('job_id', '=', p.job_id),
);

export const purgeDeadLetters = statement((db, p: { before: number }) =>
  db.deleteFrom('dead_letters').where('created_at', '<', p.before),
);
