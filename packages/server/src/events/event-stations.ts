import {
  type EventProgress,
  mostStations,
  type NewStationReport,
  type StationAnswer,
  type StationList,
  silentAfterMs,
} from '@guise/contract/events/stations.ts';
import type { JobState } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { Db } from '../store/db.ts';
import { findEvent } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import {
  countEventJobsByState,
  countStations,
  holdEvent,
  insertStation,
  lastCompletedOfEvent,
  listStations,
  oldestQueuedOfEvent,
  updateStation,
} from '../store/events/station-records.ts';
import { settingsOf } from './event-settings.ts';
import { eventNotFound, eventStateOf } from './event-state.ts';

const tooManyStations = () =>
  new AppError('LIMIT_REACHED', `This event has ${mostStations} stations, as many as it may have.`);

/** So many pictures tell how long one takes. */
const usualOf = 20;

/** Notes that a booth is there, and tells it how the event is. Of an event that is being erased nothing is noted. */
export async function noteStation(
  db: Db,
  event: EventRow,
  keyId: string | null,
  { station, camera, ...report }: NewStationReport,
): Promise<StationAnswer> {
  const now = db.now();
  const row = {
    event_id: event.id,
    id: station,
    key_id: keyId,
    ...report,
    camera: camera ?? null,
    last_seen_at: now,
  };
  await db.transaction(async (tx) => {
    if ((await tx.run(holdEvent, { id: event.id })) === 0) return;
    if ((await tx.run(updateStation, row)) > 0) return;
    const { count } = (await tx.one(countStations, { event_id: event.id }))!;
    if (count >= mostStations) throw tooManyStations();
    await tx.run(insertStation, { ...row, first_seen_at: now });
  });
  return {
    state: eventStateOf(event, now),
    paused: event.paused === 1,
    safe_mode: settingsOf(event).safe_mode,
    consent_version: event.consent_version,
    updated_at: isoTime(event.updated_at),
  };
}

export async function readStations(db: Db, own: { id: string; account_id: string }): Promise<StationList> {
  if (!(await db.one(findEvent, own))) throw eventNotFound();
  const rows = await db.all(listStations, { event_id: own.id, limit: mostStations });
  const now = db.now();
  return {
    stations: rows.map(({ event_id: _, first_seen_at, last_seen_at, ...row }) => ({
      ...row,
      first_seen_at: isoTime(first_seen_at),
      last_seen_at: isoTime(last_seen_at),
      is_silent: now - last_seen_at > silentAfterMs,
    })),
    progress: await readProgress(db, own.id),
  };
}

async function readProgress(db: Db, event_id: string): Promise<EventProgress> {
  const rows = await db.all(countEventJobsByState, { event_id });
  const count = (wanted: JobState) => rows.find(({ state }) => state === wanted)?.count ?? 0;
  const oldest = (await db.one(oldestQueuedOfEvent, { event_id }))?.oldest ?? null;
  const last = await db.all(lastCompletedOfEvent, { event_id, limit: usualOf });
  const tookMs = last
    .map(({ created_at, finished_at }) => Math.max(0, (finished_at ?? created_at) - created_at))
    .toSorted((a, b) => a - b);
  return {
    waiting: count('queued'),
    running: count('running'),
    completed: count('completed'),
    failed: count('failed'),
    wait_ms: oldest === null ? 0 : Math.max(0, db.now() - oldest),
    usual_ms: tookMs[Math.floor(tookMs.length / 2)] ?? null,
  };
}
