import { sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { columns, statement } from '../statement.ts';
import { outboxOf } from './outbox-records.ts';
import type { EventMailRow } from './outbox-schema.ts';

export const mails = outboxOf('event_mails', 'id');

type NewMail = Pick<
  EventMailRow,
  | 'id'
  | 'event_id'
  | 'account_id'
  | 'guest_id'
  | 'job_id'
  | 'base_url'
  | 'address'
  | 'language'
  | 'consent_at'
>;

export const insertMail = statement((db, p: NewMail) =>
  db.insertInto('event_mails').values((eb) => ({
    ...columns(p, [
      'id',
      'event_id',
      'account_id',
      'guest_id',
      'job_id',
      'base_url',
      'address',
      'language',
      'consent_at',
    ]),
    state: sql.lit<EventMailRow['state']>('waiting'),
    attempts: eb.lit(0),
    due_at: databaseNow(db),
    claim: eb.lit(0),
    created_at: databaseNow(db),
  })),
);

/** Without those that failed. */
export const countMailsOfGuest = statement((db, p: { guest_id: string }) =>
  db
    .selectFrom('event_mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('guest_id', '=', p.guest_id)
    .where(sql<boolean>`state <> 'failed'`),
);

/** Of a guest's pictures: text messages are kept as what the event's webhook is told, and nowhere else. */
export const countTextMessagesOfGuest = statement((db, p: { guest_id: string }) =>
  db
    .selectFrom('event_jobs')
    .innerJoin('webhooks', 'webhooks.job_id', 'event_jobs.job_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_jobs.guest_id', '=', p.guest_id)
    // The type of a message comes first in it.
    .where(sql<boolean>`webhooks.body like '{"type":"event.delivery_requested"%'`),
);

/** Whether this picture was sent to this address, or is about to be. */
export const findMailOf = statement((db, p: { job_id: string; address: string }) =>
  db
    .selectFrom('event_mails')
    .selectAll()
    .where('job_id', '=', p.job_id)
    .where('address', '=', p.address)
    .where(sql<boolean>`state <> 'failed'`)
    .limit(sql.lit(1)),
);

/** Deletes the addresses that a picture was sent to. */
export const deleteMailsOf = statement((db, p: { job_id: string }) =>
  db.deleteFrom('event_mails').where('job_id', '=', p.job_id),
);
