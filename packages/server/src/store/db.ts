import type { Statement } from './statement.ts';

/** Records. The same statements run on every implementation. */
export interface Db extends Queries {
  /** All or nothing. Statements inside must go through `tx`. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /** Makes sure that what was deleted cannot be read from the disk either. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export interface Queries {
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  one<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
  /** Runs a change and tells how many rows it touched. */
  run<P>(statement: Statement<P, unknown>, params: P): Promise<number>;
}
