import type { ReadTime } from './database-clock.ts';
import type { Statement } from './statement.ts';

/** The database of records. The same statements run on every implementation. */
export interface Db extends Queries {
  /** Commits everything or nothing. Statements inside must go through `tx`. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /** The time by which rows are written and compared: PostgreSQL's own, or this machine's where it has SQLite. */
  now: ReadTime;
  /** Removes deleted rows from the disk as well, as far as the database can. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export interface Queries {
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  one<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
  /** Runs a change and returns how many rows it changed. */
  run<P>(statement: Statement<P, unknown>, params: P): Promise<number>;
}
