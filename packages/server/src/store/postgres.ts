import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { AppError } from '../errors.ts';
import type { Db, Queries } from './db.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statement.ts';

const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Records on PostgreSQL. Its queries can also run SQL that is not a statement of ours: the queue's. */
export interface PostgresDb extends Db, Sql {
  transaction<T>(work: (tx: PostgresQueries) => Promise<T>): Promise<T>;
  /** A connection of its own, outside the pool. */
  connection(): pg.Client;
}
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}
export type PostgresQueries = Queries & Sql;
// biome-ignore lint/suspicious/noExplicitAny: rows of SQL that is not ours.
type Row = any;

export interface PostgresOptions {
  /** Connections this process may have at once. */
  connections?: number;
  /** A process that stops in the middle of a transaction lets go of its rows after this long. */
  idleTransactionMs?: number;
}

/** How long a query waits for a connection: when more come at once than there are, they stand in line. */
const connectMs = 30_000;
const lockMs = 10_000;
const maxTries = 5;
const vacuumEveryMs = 60_000;

export function openPostgres(url: string, options: PostgresOptions = {}): PostgresDb {
  const { connections = 10, idleTransactionMs = 10_000 } = options;
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'guise',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    options: `-c idle_in_transaction_session_timeout=${idleTransactionMs} -c lock_timeout=${lockMs}`,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({ ...settings, max: connections });
  // An idle connection that breaks leaves the pool by itself; the next query opens another.
  pool.on('error', () => {});
  const vacuum = atMostEvery(vacuumEveryMs, () =>
    pool.query('vacuum (skip_locked) jobs, dead_letters, idempotency, webhooks'),
  );

  return {
    ...queriesOn((query) => retried(connections, () => pool.query(query).catch(unavailable))),
    transaction: (work) => retried(connections, () => attempt(pool, work)),
    // What was deleted is out of every query's sight at once. Its bytes go with the next vacuum, from the log when
    // PostgreSQL recycles it, and from backups with the backups.
    scrub: async () => vacuum.soon(),
    connection: () => new pg.Client({ ...settings, connectionTimeoutMillis: 5000 }),
    async close() {
      await vacuum.stop();
      await pool.end();
    },
  };
}

/** What PostgreSQL gave up in favour of another is tried again, and so is what met a plan of before a migration. */
async function retried<T>(connections: number, work: () => Promise<T>): Promise<T> {
  for (let givenUp = 0, outdated = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      // Each time, the connection that had the plan is closed.
      if (isOutdated(error) && outdated++ < connections) continue;
      if (!wasGivenUp(error) || ++givenUp === maxTries) throw error;
      await sleep(Math.random() * 10 * 2 ** givenUp);
    }
  }
}

async function attempt<T>(pool: pg.Pool, work: (tx: PostgresQueries) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(unavailable);
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    await client.query('begin').catch(unavailable);
    try {
      const result = await work(queriesOn((query) => client.query(query).catch(unavailable)));
      const { command } = await client.query('commit').catch(unavailable);
      if (command !== 'COMMIT') throw new Error('a statement failed, and with it its transaction');
      return result;
    } catch (error) {
      await client.query('rollback').catch(onError);
      broken ||= isOutdated(error);
      throw error;
    }
  } finally {
    client.off('error', onError);
    // A connection that could not even roll back is thrown away, and PostgreSQL rolls back for it.
    client.release(broken);
  }
}

function queriesOn(query: (query: pg.QueryConfig) => Promise<pg.QueryResult>): PostgresQueries {
  const run = <P>(statement: Statement<P, unknown>, params: P) => {
    const { name, text, bind } = preparedOf(statement);
    return query({ name, text, values: bind(params) });
  };
  return {
    async all(statement, params) {
      return (await run(statement, params)).rows;
    },
    async one(statement, params) {
      return (await run(statement, params)).rows[0];
    },
    async run(statement, params) {
      return (await run(statement, params)).rowCount ?? 0;
    },
    executeSql(text, values = []) {
      // Without parameters a plan would stand from the first use, when the table was empty.
      return query(values.length === 0 ? { text } : { name: nameOf(text), text, values });
    },
  };
}

interface Prepared {
  name: string;
  text: string;
  bind(params: unknown): unknown[];
}

/** Each connection prepares a statement when it first meets its name. */
const known = new WeakMap<object, Prepared>();

function preparedOf(statement: Pick<Statement<never, unknown>, 'compile'>): Prepared {
  const found = known.get(statement);
  if (found) return found;
  const { sql, bind } = statement.compile(builder);
  const made = { name: nameOf(sql), text: sql, bind };
  known.set(statement, made);
  return made;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Counts and times are 64 bits wide, which `pg` gives as text; ours stay far below 2^53. */
const wholeTypes = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const getTypeParser = ((type: number, format?: 'text') =>
  wholeTypes.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;

const serializationFailure = '40001';
const deadlockDetected = '40P01';

function wasGivenUp(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === serializationFailure || code === deadlockDetected;
}

function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/** PostgreSQL is not there, is starting or stopping, or the connection broke: not a fault of the statement. */
export function unavailable(error: Error & { code?: string }): never {
  const { code = '' } = error;
  const lost =
    /^(08|57P0|53)/.test(code) ||
    /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN)/.test(code) ||
    /^(Connection terminated|timeout exceeded|Client has encountered|Client was closed)/i.test(error.message);
  if (!lost) throw error;
  throw new AppError('STORAGE_UNAVAILABLE', 'The server cannot reach its storage. Try again in a moment.', {
    cause: error,
    retryable: true,
    headers: { 'retry-after': '2' },
  });
}

/** Runs the work now, or as soon as `ms` have passed since it last began; however often it is asked for meanwhile. */
function atMostEvery(ms: number, work: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  let last = 0;
  let running: Promise<unknown> = Promise.resolve();
  const begin = () => {
    timer = undefined;
    last = Date.now();
    // Upkeep: autovacuum comes by in any case.
    running = work().catch(() => {});
  };
  return {
    soon() {
      timer ??= setTimeout(begin, Math.max(0, last + ms - Date.now())).unref();
    },
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}
