import { sql } from 'kysely';
import type { JobState } from '../schema.ts';
import { columns, statement } from '../statement.ts';
import type { EventGuestRow, EventJobRow } from './event-schema.ts';

/** Changes no row when the event has this guest. */
export const insertEventGuest = statement((db, p: EventGuestRow) =>
  db
    .insertInto('event_guests')
    .values(columns(p, ['id', 'event_id', 'guest_ref', 'pictures', 'tries', 'created_at']))
    .onConflict((oc) => oc.columns(['event_id', 'guest_ref']).doNothing()),
);

/** Counts a picture of a guest. No row when the guest has had as many pictures or tries as the event allows. */
export const countPicture = statement(
  (db, p: { event_id: string; guest_ref: string; most_pictures: number; most_tries: number }) =>
    db
      .updateTable('event_guests')
      .set((eb) => ({
        pictures: eb('pictures', '+', eb.lit(1)),
        tries: eb('tries', '+', eb.lit(1)),
      }))
      .where('event_id', '=', p.event_id)
      .where('guest_ref', '=', p.guest_ref)
      .where('pictures', '<', p.most_pictures)
      .where('tries', '<', p.most_tries)
      .returning(['id', 'pictures', 'tries']),
);

/** Counts a picture that came back, for a try that is counted. No row when the guest has had as many meanwhile. */
export const countPictureAgain = statement(
  (db, p: { event_id: string; guest_ref: string; most_pictures: number }) =>
    db
      .updateTable('event_guests')
      .set((eb) => ({ pictures: eb('pictures', '+', eb.lit(1)) }))
      .where('event_id', '=', p.event_id)
      .where('guest_ref', '=', p.guest_ref)
      .where('pictures', '<', p.most_pictures)
      .returning(['id', 'pictures', 'tries']),
);

/** Holds a guest until the transaction ends, so that jobs of one take that come at once are counted one after the other. */
export const holdGuest = statement((db, p: { event_id: string; guest_ref: string }) =>
  db
    .updateTable('event_guests')
    .set((eb) => ({ tries: eb.ref('tries') }))
    .where('event_id', '=', p.event_id)
    .where('guest_ref', '=', p.guest_ref)
    .returning(['id', 'pictures', 'tries']),
);

/** The same, by the id of a guest whose take changes. */
export const holdGuestById = statement((db, p: { id: string }) =>
  db
    .updateTable('event_guests')
    .set((eb) => ({ tries: eb.ref('tries') }))
    .where('id', '=', p.id),
);

export const listTake = statement((db, p: { guest_id: string; take: string }) =>
  db
    .selectFrom('event_jobs')
    .selectAll()
    .where('guest_id', '=', p.guest_id)
    .where('take', '=', p.take)
    .orderBy('job_id'),
);

/**
 * Makes a job the first of its take. A variation that waits for a choice is shown to others as the first before it was.
 * Changes no row when the job has failed.
 */
export const makeFirstOfTake = statement(
  (db, p: Pick<EventJobRow, 'job_id' | 'approval'> & { further: 0 | 2 }) =>
    db
      .updateTable('event_jobs')
      .set((eb) => ({
        further: p.further,
        approval: eb
          .case()
          .when(eb.and([eb('approval', '=', eb.lit(-1)), eb('variation', 'is not', null)]))
          .then(p.approval)
          .else(eb.ref('approval'))
          .end(),
      }))
      .where('job_id', '=', p.job_id)
      .where('counted', '=', 1),
);

export const unmakeFirstOfTake = statement((db, p: { job_id: string }) =>
  db.updateTable('event_jobs').set({ further: 1 }).where('job_id', '=', p.job_id),
);

/** Notes that the picture of a take does not come back. */
export const keepPictureOfTake = statement((db, p: { guest_id: string; take: string }) =>
  db
    .updateTable('event_jobs')
    .set({ further: 2 })
    .where('guest_id', '=', p.guest_id)
    .where('take', '=', p.take)
    .where('counted', '=', 1)
    .where('further', '=', 0),
);

export const returnPicture = statement((db, p: { id: string }) =>
  db
    .updateTable('event_guests')
    .set((eb) => ({ pictures: eb('pictures', '-', eb.lit(1)) }))
    .where('id', '=', p.id),
);

export const findEventGuest = statement((db, p: { id: string }) =>
  db.selectFrom('event_guests').selectAll().where('id', '=', p.id),
);

export const countEventGuests = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('event_guests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', p.event_id),
);

export const deleteEventGuests = statement((db, p: { event_id: string }) =>
  db.deleteFrom('event_guests').where('event_id', '=', p.event_id),
);

export const insertEventJob = statement((db, p: EventJobRow) =>
  db
    .insertInto('event_jobs')
    .values(
      columns(p, [
        'job_id',
        'event_id',
        'guest_id',
        'offer_id',
        'price',
        'counted',
        'consent_version',
        'consent_language',
        'consent_answers',
        'consent_at',
        'approval',
        'take',
        'further',
        'variation',
        'details',
        'moment',
        'created_at',
      ]),
    ),
);

export const findEventJob = statement((db, p: { job_id: string }) =>
  db.selectFrom('event_jobs').selectAll().where('job_id', '=', p.job_id),
);

/** Marks a failed job as not counted. No row when it was marked before, or is of no event. */
export const uncountEventJob = statement((db, p: { job_id: string }) =>
  db
    .updateTable('event_jobs')
    .set({ counted: 0 })
    .where('job_id', '=', p.job_id)
    .where('counted', '=', 1)
    .returning(['event_id', 'guest_id', 'price', 'take', 'further', 'approval']),
);

/** Newest first, before the job `before`. */
export const listEventJobs = statement((db, p: { event_id: string; before: string; limit: number }) =>
  db
    .selectFrom('event_jobs')
    .selectAll()
    .where('event_id', '=', p.event_id)
    .where('job_id', '<', p.before)
    .orderBy('job_id', 'desc')
    .limit(p.limit),
);

export const noteMoment = statement((db, p: { job_id: string }) =>
  db.updateTable('event_jobs').set({ moment: 1 }).where('job_id', '=', p.job_id),
);

/** Changes no row when the event has no such job. */
export const approveEventJob = statement(
  (db, p: { job_id: string; event_id: string; approval: EventJobRow['approval'] }) =>
    db
      .updateTable('event_jobs')
      .set({ approval: p.approval })
      .where('job_id', '=', p.job_id)
      .where('event_id', '=', p.event_id),
);

/** Jobs with a result, and with at least this approval, newest first, before the job `before`. */
export const listEventResults = statement(
  (db, p: { event_id: string; before: string; least_approval: number; now: number; limit: number }) =>
    db
      .selectFrom('event_jobs')
      .innerJoin('jobs', 'jobs.id', 'event_jobs.job_id')
      .selectAll('event_jobs')
      .select(['jobs.account_id', 'jobs.family', 'jobs.result_key', 'jobs.result_notes', 'jobs.expires_at'])
      .where('event_jobs.event_id', '=', p.event_id)
      .where('event_jobs.job_id', '<', p.before)
      .where('event_jobs.approval', '>=', p.least_approval as EventJobRow['approval'])
      .where('jobs.state', '=', sql.lit<JobState>('completed'))
      .where('jobs.result_key', 'is not', null)
      .where('jobs.expires_at', '>', p.now)
      .orderBy('event_jobs.job_id', 'desc')
      .limit(p.limit),
);

/** Newest first. A guest has few. */
export const listGuestJobs = statement((db, p: { guest_id: string; limit: number }) =>
  db
    .selectFrom('event_jobs')
    .selectAll()
    .where('guest_id', '=', p.guest_id)
    .orderBy('job_id', 'desc')
    .limit(p.limit),
);

export const countEventJobs = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('event_jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', p.event_id),
);

export const deleteEventJob = statement((db, p: { job_id: string }) =>
  db.deleteFrom('event_jobs').where('job_id', '=', p.job_id).returningAll(),
);

/** The rows of jobs of an event that still stand among the account's, oldest first, after the job `after`. */
export const listJobsOfEvent = statement((db, p: { event_id: string; after: string; limit: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('event_id', '=', p.event_id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Answers that were kept for repeated requests name their jobs. */
export const deleteIdempotencyOfJob = statement((db, p: { job_id: string }) =>
  db.deleteFrom('idempotency').where('job_id', '=', p.job_id),
);
