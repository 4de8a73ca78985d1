import type { Db, Queries } from '@guise/server/store/db.ts';
import { builder } from '@guise/server/store/embedded/sqlite.ts';
import { postgresClock } from '@guise/server/store/shared/postgres-clock.ts';
import type { Statement } from '@guise/server/store/statement.ts';
import { StorageFull, storageUnavailable } from '@guise/server/store/storage-unavailable.ts';
import { epochMs, type Scheduled, type SimulatedProcess } from './scheduler.ts';
import { call, type Simulation } from './simulation.ts';

/** The database server, with the real store of SQLite behind a simulated network. */
export interface DatabaseServer {
  process: SimulatedProcess;
  /** For an embedded database: its process has started anew. */
  reopen(): void;
  close(): Promise<void>;
  /** A connection for the running process. */
  connect(): Connection;
  /** Gives back what a process held that is no more. */
  forget(process: SimulatedProcess): void;
  /** Called when a process has committed something. */
  onCommit: (by: SimulatedProcess) => void;
  /** Called when a job was queued by something that was committed. */
  onEnqueued: () => void;
}

export interface Connection {
  db: Db;
  /** From here on `db.now` is the database's time. */
  followClock(): Promise<void>;
  /** Lets the commit of a transaction tell that a job was queued. */
  notifyAtCommit(tx: Queries): void;
}

const realImmediate = setImmediate;

/** A transaction whose process is silent for so long is rolled back: `idle_in_transaction_session_timeout`. */
const idleTransactionMs = 10_000;

const disconnected = () => storageUnavailable(new Error('Connection terminated unexpectedly'));

export interface DatabaseOptions {
  openStore(): Db;
  /** Whether it is part of its node's process: then nothing is between the two. */
  isEmbedded: boolean;
}

export function createDatabaseServer(
  simulation: Simulation,
  { openStore, isEmbedded }: DatabaseOptions,
): DatabaseServer {
  const { scheduler, conditions } = simulation;
  const random = simulation.random.fork('database');
  const server = scheduler.start('database');
  const sessions = new Set<Session>();
  let store = scheduler.runAs(server, openStore);
  const latencyMs = () => {
    if (isEmbedded) return 0;
    return conditions.database === 'slow' ? random.between(20, 1500) : random.between(0.1, 1.5);
  };

  const refuse = () => {
    if (conditions.database === 'away') throw disconnected();
  };
  const refuseWrite = () => {
    if (conditions.database === 'full') throw new StorageFull();
  };
  const isDropped = () => conditions.database === 'dropping' && random.chance(0.15);

  /** One statement outside of a transaction, which commits by itself. */
  const statement = <T>(work: () => Promise<T>, isWrite = false): Promise<T> => {
    const by = scheduler.current;
    return call(simulation, server, latencyMs, async () => {
      refuse();
      if (isDropped()) throw disconnected();
      const result = await work();
      if (isWrite && result !== undefined && result !== 0) database.onCommit(by);
      if (isDropped()) throw disconnected();
      return result;
    });
  };

  const begin = (process: SimulatedProcess): Promise<Session> =>
    call(simulation, server, latencyMs, async () => {
      refuse();
      const session = await openSession(simulation, store, process);
      sessions.add(session);
      session.ended.finally(() => sessions.delete(session)).catch(() => {});
      return session;
    });

  const transaction = async <T>(process: SimulatedProcess, work: (tx: Queries) => Promise<T>): Promise<T> => {
    const session = await begin(process);
    const inSession = <R>(run: () => Promise<R>) =>
      call(simulation, server, latencyMs, async () => {
        refuse();
        if (isDropped()) session.drop(disconnected());
        return session.use(run);
      });
    const tx: Queries = {
      all: (query, params) => inSession(() => session.tx.all(query, params)),
      one: (query, params) => inSession(() => session.tx.one(query, params)),
      run: (query, params) =>
        inSession(() => {
          refuseWrite();
          return session.tx.run(query, params);
        }),
    };
    sessionOf.set(tx, session);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      await call(simulation, server, latencyMs, async () => session.drop(error)).catch(() => {});
      throw error;
    }
    await call(simulation, server, latencyMs, async () => {
      refuse();
      if (isDropped()) session.drop(disconnected());
      await session.commit();
      database.onCommit(process);
      if (session.enqueued) database.onEnqueued();
      if (isDropped()) throw disconnected();
    });
    return result;
  };
  const sessionOf = new WeakMap<Queries, Session>();

  const endSessions = () => {
    for (const session of sessions) session.drop(disconnected());
  };

  const database: DatabaseServer = {
    process: server,
    onCommit: () => {},
    onEnqueued: () => {},
    reopen() {
      endSessions();
      store = scheduler.runAs(server, openStore);
    },
    async close() {
      endSessions();
      // What that set off ends before the next run begins.
      await new Promise<void>((resolve) => void realImmediate(resolve));
      await store.close();
    },
    forget(process) {
      for (const session of sessions) if (session.process === process) session.drop(disconnected());
    },
    connect() {
      const clock = isEmbedded
        ? { now: () => scheduler.runAs(server, () => store.now()), follow: async () => {}, stop() {} }
        : postgresClock(() => statement(async () => epochMs + scheduler.now));
      return {
        followClock: clock.follow,
        notifyAtCommit(tx) {
          const session = sessionOf.get(tx);
          if (session) session.enqueued = true;
        },
        db: {
          now: clock.now,
          all: (query, params) => statement(() => store.all(query, params), isWrite(query)),
          one: (query, params) => statement(() => store.one(query, params), isWrite(query)),
          run: (query, params) =>
            statement(() => {
              refuseWrite();
              return store.run(query, params);
            }, true),
          transaction: (work) => transaction(scheduler.current, work),
          // PostgreSQL vacuums by itself.
          scrub: async () => {},
          close: async () => clock.stop(),
        },
      };
    },
  };
  return database;
}

const writes = new WeakMap<object, boolean>();

function isWrite(query: Pick<Statement<never, unknown>, 'compile'>): boolean {
  const known = writes.get(query) ?? !/^(select|with)/.test(query.compile(builder).sql);
  writes.set(query, known);
  return known;
}

/** An open transaction at the database. */
interface Session {
  process: SimulatedProcess;
  tx: Queries;
  enqueued: boolean;
  /** Runs a statement in it; rejects when it was rolled back meanwhile. */
  use<T>(run: () => Promise<T>): Promise<T>;
  commit(): Promise<void>;
  /** Rolls back, unless it has ended. */
  drop(reason: unknown): void;
  ended: Promise<void>;
}

async function openSession(
  { scheduler }: Simulation,
  store: Db,
  process: SimulatedProcess,
): Promise<Session> {
  const opened = Promise.withResolvers<Queries>();
  const closed = Promise.withResolvers<void>();
  let dropped: { reason: unknown } | null = null;
  let idle: Scheduled | null = null;
  const ended = store.transaction(async (tx) => {
    opened.resolve(tx);
    await closed.promise;
  });
  ended.catch(opened.reject);
  const tx = await opened.promise;
  const drop = (reason: unknown) => {
    dropped ??= { reason };
    if (idle) idle.cancelled = true;
    closed.reject(reason);
  };
  const watchIdle = () => {
    if (idle) idle.cancelled = true;
    idle = scheduler.schedule(idleTransactionMs, () => drop(disconnected()));
  };
  // Its process may have ended while this transaction waited for another one.
  if (process.state === 'dead') drop(disconnected());
  else watchIdle();
  return {
    process,
    tx,
    enqueued: false,
    async use(run) {
      if (dropped) throw disconnected();
      watchIdle();
      return run();
    },
    async commit() {
      if (dropped) throw disconnected();
      if (idle) idle.cancelled = true;
      closed.resolve();
      await ended;
    },
    drop,
    ended,
  };
}
