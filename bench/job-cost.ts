import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '../packages/server/test/support/postgres-server.ts';
import { parentOf, treeCpuSeconds } from './process-usage.ts';

/** What PostgreSQL and this process have done so far. */
interface Counters {
  commits: number;
  inserted: number;
  updated: number;
  deleted: number;
  walBytes: number;
  databaseSeconds: number;
  ownSeconds: number;
}

/** A session of PostgreSQL reports what it has counted with the first transaction a second after the last report. */
const reportEveryMs = 1100;

async function readCounters({ url, report }: MeasuredDatabase): Promise<Counters> {
  await sleep(reportEveryMs);
  await report();
  const { rows } = await execute(
    url,
    `select xact_commit as commits, tup_inserted as inserted, tup_updated as updated, tup_deleted as deleted,
       pg_current_wal_lsn() - '0/0' as wal,
       (select pid from pg_stat_activity where backend_type = 'checkpointer') as checkpointer
     from pg_stat_database where datname = current_database()`,
  );
  const [row] = rows;
  const { user, system } = process.cpuUsage();
  return {
    commits: Number(row.commits),
    inserted: Number(row.inserted),
    updated: Number(row.updated),
    deleted: Number(row.deleted),
    walBytes: Number(row.wal),
    databaseSeconds: treeCpuSeconds(parentOf(row.checkpointer)),
    ownSeconds: (user + system) / 1e6,
  };
}

interface MeasuredDatabase {
  url: string;
  /** A transaction of the session that is measured. */
  report(): Promise<unknown>;
}

/**
 * What one of `count` calls costs on a PostgreSQL that nobody else uses: transactions, rows, bytes of its log, and
 * processor time there and here. Reading the counters costs some transactions, which are measured and left out.
 */
export async function costOf(
  database: MeasuredDatabase,
  count: number,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const first = await readCounters(database);
  const before = await readCounters(database);
  for (let n = 0; n < count; n++) await work();
  const after = await readCounters(database);
  const spent = difference(difference(first, before), difference(before, after));
  const one = (value: number, digits: number) => Math.max(0, value / count).toFixed(digits);
  return [
    one(spent.commits, 1),
    `${one(spent.inserted, 1)} / ${one(spent.updated, 1)} / ${one(spent.deleted, 1)}`,
    `${one(spent.walBytes / 1024, 2)} KiB`,
    `${one(1000 * spent.databaseSeconds, 2)} ms`,
    `${one(1000 * spent.ownSeconds, 2)} ms`,
  ];
}

function difference(before: Counters, after: Counters): Counters {
  const names = Object.keys(before) as (keyof Counters)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Counters;
}
