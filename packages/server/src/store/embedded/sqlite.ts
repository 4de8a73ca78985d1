import Database from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type ReadTime, sqliteNow, steadyClock } from '../database-clock.ts';
import type { Db, Queries } from '../db.ts';
import type { Schema } from '../schema.ts';
import type { PreparedQuery, Statement } from '../statement.ts';
import { rethrowDiskError } from '../storage-unavailable.ts';

export const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

type AnyStatement = Statement<unknown, unknown>;

/**
 * Two connections: plain reads never see an open transaction, and writes run one at a time. A transaction holds the
 * others up only for microtasks, because every statement inside is synchronous.
 */
export function openSqlite(file: string): Db {
  const now = steadyClock();
  return createSqliteDb(connectSqlite(file, now), now);
}

/** The two connections with the statements that they have prepared so far. */
export interface SqliteConnections {
  reader: Connection;
  writer: Connection;
}

export const connectSqlite = (file: string, now: ReadTime): SqliteConnections => ({
  reader: connect(file, now),
  writer: connect(file, now),
});

/** The database behind connections that nobody else uses. */
export function createSqliteDb({ reader: read, writer: write }: SqliteConnections, now: ReadTime): Db {
  const writer = write.native;
  const runExclusive = mutex();
  let scrub: Promise<void> | null = null;

  return {
    async all(statement, params) {
      const { native, query } = read.prepared(statement);
      return native.readonly
        ? (native.all(query.bind(params)) as never)
        : runExclusive(() => write.all(statement, params));
    },
    async one(statement, params) {
      const { native, query } = read.prepared(statement);
      return native.readonly
        ? (native.get(query.bind(params)) as never)
        : runExclusive(() => write.one(statement, params));
    },
    run: (statement, params) => runExclusive(() => write.run(statement, params)),
    transaction: (work) =>
      runExclusive(async () => {
        writer.exec('begin immediate');
        try {
          const result = await work(write);
          writer.exec('commit');
          return result;
        } catch (error) {
          if (writer.inTransaction) writer.exec('rollback');
          throw error;
        }
      }),
    now,
    scrub() {
      // Whoever asks before it begins shares it: each takes some 10 ms of the thread.
      scrub ??= nextTurn().then(() =>
        runExclusive(async () => {
          scrub = null;
          // Deleted rows are overwritten in the database file, but its log still holds the old pages.
          writer.pragma('wal_checkpoint(TRUNCATE)');
        }),
      );
      return scrub;
    },
    async close() {
      read.native.close();
      writer.close();
    },
  };
}

function connect(file: string, now: ReadTime): Connection {
  const connection = new Database(file, { timeout: 10_000 });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // Free pages must hold nothing of a deleted job.
  connection.pragma('secure_delete = ON');
  // Called deterministic so that SQLite asks once for each statement, and can search an index with it.
  connection.function(sqliteNow, { deterministic: true }, now);
  return queriesOn(connection);
}

interface Prepared {
  query: PreparedQuery;
  native: Database.Statement;
}

interface Connection extends Queries {
  native: Database.Database;
  prepared(statement: AnyStatement): Prepared;
}

function queriesOn(connection: Database.Database): Connection {
  const known = new Map<string, Database.Statement>();
  const prepared = (statement: AnyStatement) => {
    const query = statement.compile(builder);
    const native = known.get(query.sql) ?? connection.prepare(query.sql);
    known.set(query.sql, native);
    return { query, native };
  };
  return {
    native: connection,
    prepared,
    async all(statement, params) {
      const { native, query } = prepared(statement);
      return native.all(query.bind(params)) as never;
    },
    async one(statement, params) {
      const { native, query } = prepared(statement);
      return native.get(query.bind(params)) as never;
    },
    async run(statement, params) {
      const { native, query } = prepared(statement);
      return native.run(query.bind(params)).changes;
    },
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** After so much work in one iteration of the event loop, whatever else waits comes first. */
const turnMs = 10;

/** Runs what it is given one at a time, in the order it came. */
function mutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let turnBegan = Number.NEGATIVE_INFINITY;
  const yieldToOthers = async () => {
    if (performance.now() - turnBegan < turnMs) return;
    await nextTurn();
    turnBegan = performance.now();
  };
  return (work) => {
    const next = last.then(yieldToOthers).then(work).catch(rethrowDiskError);
    last = next.catch(() => {});
    return next;
  };
}
