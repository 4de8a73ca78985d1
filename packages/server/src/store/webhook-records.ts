import type { WebhookRow } from './schema.ts';
import { columns, statement } from './statement.ts';

export const insertWebhook = statement((db, p: WebhookRow) =>
  db.insertInto('webhooks').values(columns(p, ['job_id', 'account_id', 'url', 'body', 'attempts', 'due_at'])),
);

export const dueWebhooks = statement((db, p: { now: number; limit: number }) =>
  db.selectFrom('webhooks').selectAll().where('due_at', '<=', p.now).orderBy('due_at').limit(p.limit),
);

/** An attempt is taken by setting the time of the next one: of several takers one touches the row. */
export const takeWebhook = statement((db, p: { job_id: string; attempts: number; due_at: number }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ attempts: eb('attempts', '+', eb.lit(1)), due_at: p.due_at }))
    .where('job_id', '=', p.job_id)
    .where('attempts', '=', p.attempts),
);

export const deleteWebhook = statement((db, p: { job_id: string }) =>
  db.deleteFrom('webhooks').where('job_id', '=', p.job_id),
);
