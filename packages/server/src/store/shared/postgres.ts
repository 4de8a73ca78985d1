import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Db, Queries } from '../db.ts';
import type { Schema } from '../schema.ts';
import type { Statement } from '../statement.ts';
import { isStorageAway } from '../storage-unavailable.ts';
import { postgresClock } from './postgres-clock.ts';
import { hasStalePlan, rethrowPostgresError, wasRolledBack } from './postgres-errors.ts';

const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Records on PostgreSQL. Its queries also run SQL that is not a `Statement`: pg-boss's. */
export interface PostgresDb extends Db, Sql {
  transaction<T>(work: (tx: PostgresQueries) => Promise<T>): Promise<T>;
  /** From here on `now` is PostgreSQL's time. */
  followClock(): Promise<void>;
  /** A connection of its own, outside the pool. */
  connection(): pg.Client;
}
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}
export type PostgresQueries = Queries & Sql;

export interface PostgresOptions {
  /** How many connections this process may have at once. */
  connections?: number;
  /** A process that stops in the middle of a transaction loses its locks after this long. */
  idleTransactionMs?: number;
  /** A statement without an answer for this long has failed: the machine or the network in between is gone. */
  answerMs?: number;
}

/** How long a query waits for a free connection of the pool. */
const connectMs = 30_000;
const lockMs = 10_000;
const maxAttempts = 5;
const vacuumEveryMs = 60_000;

export function openPostgres(url: string, options: PostgresOptions = {}): PostgresDb {
  const { connections = 10, idleTransactionMs = 10_000, answerMs = 60_000 } = options;
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'guise',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    query_timeout: answerMs,
    options: `-c idle_in_transaction_session_timeout=${idleTransactionMs} -c lock_timeout=${lockMs}`,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({ ...settings, max: connections });
  // An idle connection that breaks leaves the pool by itself; the next query opens another.
  pool.on('error', () => {});
  // Between opening a connection and its first query nobody else listens, and an unheard error would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const vacuum = throttled(vacuumEveryMs, () =>
    pool.query('vacuum (skip_locked) jobs, dead_letters, idempotency, webhooks'),
  );
  const prepared = preparedStatements();
  const retry = <T>(work: () => Promise<T>) => withRetries(connections, work);

  const clock = postgresClock(async () => {
    const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as now');
    return Number(rows[0].now);
  });

  return {
    now: clock.now,
    followClock: () => clock.follow().catch(rethrowPostgresError),
    ...queriesOn(prepared, (query) => retry(() => pool.query(query).catch(rethrowPostgresError))),
    transaction: (work) => retry(() => runTransaction(pool, prepared, work)),
    // No query finds a deleted row from the moment it is deleted. Its bytes go with the next vacuum, from the log when
    // PostgreSQL recycles it, and from backups with the backups.
    scrub: async () => vacuum.request(),
    connection: () => new pg.Client({ ...settings, connectionTimeoutMillis: 5000 }),
    async close() {
      clock.stop();
      await vacuum.stop();
      await pool.end();
    },
  };
}

/** Runs again what PostgreSQL rolled back in favour of another, and what met a plan of before a migration. */
async function withRetries<T>(connections: number, work: () => Promise<T>): Promise<T> {
  for (let rolledBack = 0, stale = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      // Each attempt closes one connection with a stale plan.
      if (hasStalePlan(error) && stale++ < connections) continue;
      if (!wasRolledBack(error) || ++rolledBack === maxAttempts) throw error;
      await sleep(Math.random() * 10 * 2 ** rolledBack);
    }
  }
}

async function runTransaction<T>(
  pool: pg.Pool,
  prepared: PreparedStatements,
  work: (tx: PostgresQueries) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch(rethrowPostgresError);
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    await client.query('begin').catch(rethrowPostgresError);
    try {
      const result = await work(
        queriesOn(prepared, (query) => client.query(query).catch(rethrowPostgresError)),
      );
      const { command } = await client.query('commit').catch(rethrowPostgresError);
      if (command !== 'COMMIT') throw new Error('a statement failed, and with it its transaction');
      return result;
    } catch (error) {
      if (isStorageAway(error)) broken = true;
      else await client.query('rollback').catch(onError);
      broken ||= hasStalePlan(error);
      throw error;
    }
  } finally {
    client.off('error', onError);
    // A connection that is lost or cannot even roll back is closed, and PostgreSQL rolls back for it.
    client.release(broken);
  }
}

function queriesOn(
  prepared: PreparedStatements,
  query: (query: pg.QueryConfig) => Promise<pg.QueryResult>,
): PostgresQueries {
  const run = <P>(statement: Statement<P, unknown>, params: P) => {
    const { name, text, bind } = prepared.get(statement);
    return query({ name, text, values: bind(params).map(storable) });
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
      return query(
        values.length === 0 ? { text } : { name: prepared.nameOf(text), text, values: values.map(storable) },
      );
    },
  };
}

/**
 * PostgreSQL refuses a statement with U+0000 in a text. Callers cannot send one, but upstream servers, older SQLite files
 * and ids in paths may have one: it becomes U+FFFD, as lone surrogates do, and then finds nothing and fails nothing.
 */
const storable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

interface Prepared {
  name: string;
  text: string;
  bind(params: unknown): unknown[];
}

/** The statements in PostgreSQL's SQL. Each connection prepares one when it first meets its name. */
interface PreparedStatements {
  get(statement: Pick<Statement<never, unknown>, 'compile'>): Prepared;
  nameOf(text: string): string;
}

function preparedStatements(): PreparedStatements {
  const known = new WeakMap<object, Prepared>();
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
  return {
    nameOf,
    get(statement) {
      const found = known.get(statement);
      if (found) return found;
      const { sql, bind } = statement.compile(builder);
      const prepared = { name: nameOf(sql), text: sql, bind };
      known.set(statement, prepared);
      return prepared;
    },
  };
}

/** Counts and times have 64 bits, which `pg` returns as text; ours stay far below 2^53. */
const wholeTypes = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const getTypeParser = ((type: number, format?: 'text') =>
  wholeTypes.has(type) ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;

/** Runs the work when it is requested, but not more than once in `ms`: requests in between share the next run. */
function throttled(ms: number, work: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();
  const start = () => {
    timer = undefined;
    startedAt = performance.now();
    // A failure is left to autovacuum, which does the same work later.
    running = work().catch(() => {});
  };
  return {
    request() {
      timer ??= setTimeout(start, Math.max(0, startedAt + ms - performance.now())).unref();
    },
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}
