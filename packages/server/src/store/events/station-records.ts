import { sql } from 'kysely';
import { queuedState } from '../job-records.ts';
import type { JobState } from '../schema.ts';
import { columns, statement } from '../statement.ts';
import type { StationRow } from './event-schema.ts';

/**
 * Holds the row of an event that is not being erased until the transaction ends, so that nothing is written about it
 * after an erasure has begun. Changes no row when one has.
 */
export const holdEvent = statement((db, p: { id: string }) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', p.id)
    .where('erasure_begun_at', 'is', null),
);

const reported = [
  'key_id',
  'name',
  'waiting_photos',
  'prints',
  'page_version',
  'camera',
  'last_seen_at',
] as const;

/** Changes no row when the event does not have this station. */
export const updateStation = statement(
  (db, p: Pick<StationRow, (typeof reported)[number] | 'event_id' | 'id'>) =>
    db
      .updateTable('event_stations')
      .set(columns(p, reported))
      .where('event_id', '=', p.event_id)
      .where('id', '=', p.id),
);

export const insertStation = statement((db, p: StationRow) =>
  db
    .insertInto('event_stations')
    .values(columns(p, ['event_id', 'id', 'first_seen_at', ...reported]))
    .onConflict((oc) => oc.columns(['event_id', 'id']).doNothing()),
);

export const listStations = statement((db, p: { event_id: string; limit: number }) =>
  db
    .selectFrom('event_stations')
    .selectAll()
    .where('event_id', '=', p.event_id)
    .orderBy('name')
    .orderBy('id')
    .limit(p.limit),
);

export const countStations = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('event_stations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', p.event_id),
);

export const deleteStations = statement((db, p: { event_id: string }) =>
  db.deleteFrom('event_stations').where('event_id', '=', p.event_id),
);

/** How many jobs of an event are in each state. */
export const countEventJobsByState = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('event_id', '=', p.event_id)
    .groupBy('state'),
);

/** When the job of an event that waits longest was accepted. */
export const oldestQueuedOfEvent = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => fn.min<number | null>('created_at').as('oldest'))
    .where('event_id', '=', p.event_id)
    .where('state', '=', queuedState),
);

/** Of the last pictures of an event, the times of their photos and their ends, newest photo first. */
export const lastCompletedOfEvent = statement((db, p: { event_id: string; limit: number }) =>
  db
    .selectFrom('jobs')
    .select(['created_at', 'finished_at'])
    .where('event_id', '=', p.event_id)
    .where('state', '=', sql.lit<JobState>('completed'))
    .orderBy('id', 'desc')
    .limit(p.limit),
);
