import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The function of SQLite that `openSqlite` adds: a clock that does not go back. */
export const sqliteNow = 'guise_now';

/**
 * The time of the database in milliseconds, one clock for all its processes. It stays the same during a statement, so
 * that an index can be searched with it.
 */
export function databaseNow(db: Kysely<Schema>): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`
    : sql`cast(${sql.raw(sqliteNow)}() as integer)`;
}

/** The same time outside of statements. Durations are measured by `performance.now`. */
export type ReadTime = () => number;

/**
 * This machine's time, which does not go back while the process runs: where its clock is set back, time goes on from where
 * it was. Where it is set forward, as after a machine slept, time follows.
 */
export function steadyClock(): ReadTime {
  let offset = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = performance.now();
    offset = Math.max(offset, Date.now() - elapsed);
    return Math.round(elapsed + offset);
  };
}

/** A machine's clock, and one that nobody sets. */
interface Clocks {
  now(): number;
  elapsed(): number;
}

const machineClocks: Clocks = { now: () => Date.now(), elapsed: () => performance.now() };
/** Clocks that are kept right by steps of the network's time move by less at a time. */
const leastStepMs = 60_000;

/** Watches whether the machine's clock is set while the process runs. */
export interface ClockWatch {
  /** For how long it has not been set, as far as it was asked. What was set before the process began does not count. */
  undisturbedMs(): number;
}

export function watchClock({ now, elapsed }: Clocks = machineClocks): ClockWatch {
  let offset = now() - elapsed();
  let setAt = Number.NEGATIVE_INFINITY;
  return {
    undisturbedMs() {
      const seen = now() - elapsed();
      if (Math.abs(seen - offset) > leastStepMs) setAt = elapsed();
      offset = seen;
      return elapsed() - setAt;
    },
  };
}
