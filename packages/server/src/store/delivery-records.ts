import type { DeliveryRow } from './schema.ts';
import { columns, statement } from './statement.ts';

// The outbox of webhooks: a row in the table `webhooks` is a delivery that is neither acknowledged nor given up.

/** Part of the transaction that ends the job: there is a delivery if and only if the job has ended. */
export const insertDelivery = statement((db, p: DeliveryRow) =>
  db.insertInto('webhooks').values(columns(p, ['job_id', 'account_id', 'url', 'body', 'attempts', 'due_at'])),
);

export const dueDeliveries = statement((db, p: { now: number; limit: number }) =>
  db.selectFrom('webhooks').selectAll().where('due_at', '<=', p.now).orderBy('due_at').limit(p.limit),
);

/**
 * Claims the attempt after `attempts` by counting it and setting when the next one is due. Of several processes that
 * claim the same attempt, one changes the row.
 */
export const claimDelivery = statement((db, p: { job_id: string; attempts: number; due_at: number }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ attempts: eb('attempts', '+', eb.lit(1)), due_at: p.due_at }))
    .where('job_id', '=', p.job_id)
    .where('attempts', '=', p.attempts),
);

export const deleteDelivery = statement((db, p: { job_id: string }) =>
  db.deleteFrom('webhooks').where('job_id', '=', p.job_id),
);
