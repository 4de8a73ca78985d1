import { hostname } from 'node:os';
import type { ServerReport, WorkerList } from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import type { Ability, Engine } from '../engines/engine.ts';
import { asIfResumed, isEnginePaused } from '../engines/paused-engines.ts';
import { canMake, familiesByEngine, type JobDemand, needsOf } from '../engines/routing.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { Db } from '../store/db.ts';
import { heartbeatMs, leaseMs } from '../store/lease.ts';
import type { WorkerRow } from '../store/schema.ts';
import { endWorker, listWorkers, upsertWorker } from '../store/worker-records.ts';

/** An engine of a worker. The servers of engines of one name are with the first of them. */
export interface AnnouncedEngine {
  name: string;
  abilities: readonly Ability[];
  servers?: ServerReport[];
  has_fallback?: boolean;
  /** Whether it gets no new jobs. */
  paused?: boolean;
  /** The company that gets the photos of its jobs. */
  sends_photos_to?: string;
}

/** A worker process, as it announces itself. */
export interface LiveWorker {
  id: string;
  host: string;
  pid: number;
  engines: AnnouncedEngine[];
  concurrency: number;
  running: number;
  draining: boolean;
  started_at: number;
  beat_at: number;
}

/**
 * Those with a heartbeat within `withinMs`. After a lease without one they are gone, and their jobs are requeued. A row that cannot be read, as
 * one of a newer version might be, is of a worker that makes nothing we know of.
 */
export async function readWorkers(db: Db, now = db.now(), withinMs = leaseMs): Promise<LiveWorker[]> {
  const rows = await db.all(listWorkers, { since: now - withinMs, until: now + leaseMs });
  return rows.map((row) => ({ ...row, engines: enginesOf(row), draining: row.draining === 1 }));
}

function enginesOf({ engines }: WorkerRow): LiveWorker['engines'] {
  try {
    return JSON.parse(engines) as LiveWorker['engines'];
  } catch {
    return [];
  }
}

/** The live workers as operators are shown them. */
export async function readWorkerList(db: Db): Promise<WorkerList['workers']> {
  return (await readWorkers(db)).map(({ engines, started_at, beat_at, ...worker }) => ({
    ...worker,
    engines: familiesByEngine(engines),
    started_at: isoTime(started_at),
    last_seen: isoTime(beat_at),
  }));
}

/** The engines of all live workers. */
export async function liveEngines(db: Db): Promise<LiveWorker['engines']> {
  return (await readWorkers(db)).flatMap((worker) => worker.engines);
}

/** The companies that photos may go to, each once. */
export async function readPhotoReceivers(db: Db): Promise<string[]> {
  const companies = (await liveEngines(db)).flatMap(({ sends_photos_to }) => sends_photos_to ?? []);
  return [...new Set(companies)];
}

/** Whether the local engine makes this: an operator may have put another before it. */
export async function isMadeLocally(db: Db, demand: JobDemand): Promise<boolean> {
  const needs = needsOf(demand);
  return (await liveEngines(db)).find((engine) => canMake(engine, needs))?.name === 'local';
}

export interface Announcement {
  /** Announces at once what has changed of the engines' servers. */
  refresh(): Promise<void>;
  /** Announces that no more jobs are claimed. */
  drain(): Promise<void>;
  /** Takes the worker off the list. */
  end(): Promise<void>;
}

/** Announces to all nodes what this worker can make, and that it is alive. */
export async function announce(
  parts: { db: Db; log: Logger },
  engines: readonly Engine[],
  concurrency: number,
  running: () => number,
): Promise<Announcement> {
  const now = parts.db.now();
  const id = newId(now);
  let draining: 0 | 1 = 0;
  let ended = false;
  const fixed = {
    id,
    host: hostname(),
    pid: process.pid,
    concurrency,
    started_at: now,
  };
  const beat = () =>
    parts.db
      .run(upsertWorker, {
        ...fixed,
        engines: JSON.stringify(announcedEngines(engines)),
        running: running(),
        draining,
        beat_at: parts.db.now(),
      })
      .catch((error) => parts.log.warn({ err: error }, 'the worker could not announce itself'));
  await beat();
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();
  return {
    async refresh() {
      // A worker that has taken itself off the list must not come back onto it.
      if (!ended) await beat();
    },
    async drain() {
      draining = 1;
      await beat();
    },
    async end() {
      ended = true;
      clearInterval(timer);
      await parts.db.run(endWorker, { id, beat_at: parts.db.now() - leaseMs }).catch(() => 0);
    },
  };
}

function announcedEngines(engines: readonly Engine[]): AnnouncedEngine[] {
  return engines.map((engine, i) => {
    const { name, servers, hasFallback, sendsPhotosTo } = engine;
    const isFirst = engines.findIndex((other) => other.name === name) === i;
    return {
      name,
      abilities: asIfResumed(engine).abilities,
      ...(isEnginePaused(engine) && { paused: true }),
      ...(servers && isFirst && { servers: servers.list() }),
      ...(hasFallback && { has_fallback: true }),
      ...(sendsPhotosTo !== undefined && { sends_photos_to: sendsPhotosTo }),
    };
  });
}
