import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '@guise/contract/families.ts';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import { createBacklog } from '@guise/server/jobs/backlog.ts';
import { complete } from '@guise/server/jobs/end.ts';
import { jobEvents } from '@guise/server/jobs/events.ts';
import { type SubmitParts, submit } from '@guise/server/jobs/submit.ts';
import type { Db } from '@guise/server/store/db.ts';
import { countJobs } from '@guise/server/store/job-records.ts';
import type { Queue } from '@guise/server/store/queue.ts';
import { statement } from '@guise/server/store/statement.ts';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { queuedJob } from '../packages/server/test/jobs/queued-job.ts';
import { temporaryConfig, until } from '../packages/server/test/support/harness.ts';
import { execute, startPostgres } from '../packages/server/test/support/postgres-server.ts';
import { type Cluster, startCluster } from '../test/e2e/cluster-nodes.ts';
import { measure, requestBytes } from './load.ts';

/** An installation on PostgreSQL against what it stands on, in the same run, as ratios: these machines are noisy. */

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const rows: string[][] = [];
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const percent = (ratio: number) => `${(ratio * 100).toFixed(0)}%`;

/** Milliseconds for each of `count` times, one after the other. */
async function each(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < count; n++) await work();
  return (performance.now() - started) / count;
}

/** From a validated request to a worker that holds the job, against pg-boss's send, fetch and complete. */
async function overhead(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const config = temporaryConfig({ databaseUrl: await postgres.database() });
  const storage = await openStorage(config);
  const { db, queue } = storage;
  const log = pino({ level: 'silent' });
  const boss = new PgBoss({ connectionString: await postgres.database(), max: 10, schedule: false });
  // Its connections may outlive the server by a moment.
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('bare');
  try {
    const { id } = await createAccount(db, { email: 'bench@example.com', credits: 1_000_000 });
    const parts: SubmitParts = {
      ...storage,
      catalog: loadCatalog(new URL('../catalog/filters.json', import.meta.url)),
      fetchUrl: async () => Buffer.alloc(0),
      checkUrl: () => {},
      runsWorkflows: async () => false,
      prices: {},
      resultMs: config.resultMs,
      log,
      backlog: createBacklog(db, config.maxQueued),
    };
    const family = familyOf('self_prompt_v2');
    const ending = { ...storage, events: jobEvents(), resultMs: config.resultMs, log };
    const claimed = async () => {
      await submit(parts, {
        accountId: id,
        family,
        body: { prompt: 'a lake', ratio: 'portrait' },
        idempotency: null,
      });
      return (await queue.take([family.name]))!;
    };
    const bare = async () => {
      await boss.send('bare', {});
      const [job] = await boss.fetch('bare');
      await boss.complete('bare', job!.id);
    };
    const held: Awaited<ReturnType<typeof claimed>>[] = [];
    const before = await footprint(config.databaseUrl);
    const results: { ours: number; whole: number; floor: number }[] = [];
    for (let round = -1; round < rounds; round++) {
      const ours = await each(100, async () => void held.push(await claimed()));
      const end = await each(held.length, async () => {
        await complete(ending, held.pop()!, 'results/none', { applied: [], ignored: [] });
      });
      const floor = await each(100, bare);
      // The first round warms up.
      if (round >= 0) results.push({ ours, whole: ours + end, floor });
    }
    const of = (pick: (result: (typeof results)[number]) => number) => median(results.map(pick));
    const ratio = of(({ ours, floor }) => ours / floor);
    rows.push([
      'submitted to claimed, a job',
      `${of(({ ours }) => ours).toFixed(2)} ms`,
      `pg-boss send + fetch + complete: ${of(({ floor }) => floor).toFixed(2)} ms`,
      `${ratio.toFixed(2)}×`,
      '≤ 2.00×',
      ratio <= 2 ? 'yes' : 'NO',
    ]);
    rows.push([
      '  and to completed, with its charge and result',
      `${of(({ whole }) => whole).toFixed(2)} ms`,
      '',
      `${of(({ whole, floor }) => whole / floor).toFixed(2)}×`,
      '',
      '',
    ]);
    const after = await footprint(config.databaseUrl);
    const jobs = (rounds + 1) * 100;
    const beating = await claimed();
    await each(500, async () => void (await queue.beat(beating, Math.random())));
    const beaten = await footprint(config.databaseUrl);
    rows.push([
      'what a job leaves in PostgreSQL',
      `${((after.bytes - before.bytes) / jobs / 1024).toFixed(1)} KiB of rows and indexes`,
      `${((after.wal - before.wal) / jobs / 1024).toFixed(1)} KiB of log, ${((after.commits - before.commits) / jobs).toFixed(1)} transactions`,
      '',
      '',
      '',
    ]);
    rows.push([
      '  and a heartbeat',
      '',
      `${((beaten.wal - after.wal) / 500 / 1024).toFixed(2)} KiB of log`,
      '',
      '',
      '',
    ]);
    const many = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        createAccount(db, { email: `bench${n}@example.com`, credits: 1000 }),
      ),
    );
    const together = async (accounts: string[]) => {
      const started = performance.now();
      const one = (account: string) =>
        each(25, async () => {
          await submit(parts, {
            accountId: account,
            family,
            body: { prompt: 'a lake', ratio: 'portrait' },
            idempotency: null,
          });
        });
      await Promise.all(accounts.map(one));
      return (accounts.length * 25) / ((performance.now() - started) / 1000);
    };
    await together(many.map((account) => account.id));
    const apart = await together(many.map((account) => account.id));
    const alone = await together(many.map(() => id));
    rows.push([
      'submissions, 16 at once, of one account',
      `${alone.toFixed(0)}/s`,
      `of 16 accounts: ${apart.toFixed(0)}/s`,
      percent(alone / apart),
      '',
      '',
    ]);
  } finally {
    await boss.stop({ graceful: false });
    await storage.close();
    await postgres.stop();
  }
}

/** How much a database holds, has logged and has committed. */
async function footprint(url: string): Promise<{ bytes: number; wal: number; commits: number }> {
  const { rows } = await execute(
    url,
    `select pg_database_size(current_database()) as bytes,
       pg_current_wal_lsn() - '0/0' as wal,
       (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  const { bytes, wal, commits } = rows[0];
  return { bytes: Number(bytes), wal: Number(wal), commits: Number(commits) };
}

const waitMs = Number(process.env.BENCH_WAIT_MS ?? 2000);
const placesOfAWorker = 8;
const jobsForEachPlace = 6;

/** Jobs that only wait, all of them due at the same moment: how many a second one worker and four workers end. */
async function scaling(): Promise<void> {
  const cluster = await startCluster(
    { apis: 0, workers: 1, jobMs: '0', durable: true },
    { concurrency: placesOfAWorker },
  );
  const storage = await openStorage(cluster.config);
  try {
    const { id } = await createAccount(storage.db, { email: 'bench@example.com', credits: 1_000_000 });
    const one = await rateOf(storage, id, 1);
    await Promise.all([1, 2, 3].map(() => cluster.start('worker').now.url));
    const four = await rateOf(storage, id, 4);
    const efficiency = four / (4 * one);
    rows.push([
      `jobs that wait ${waitMs} ms, 4 workers of ${placesOfAWorker}`,
      `${four.toFixed(1)}/s`,
      `1 worker: ${one.toFixed(1)}/s, of ${(placesOfAWorker * 1000) / waitMs} possible`,
      percent(efficiency),
      '≥ 90%',
      efficiency >= 0.9 ? 'yes' : 'NO',
    ]);
  } finally {
    await storage.close();
    await cluster.stop();
  }
}

async function rateOf({ db, queue }: { db: Db; queue: Queue }, accountId: string, workers: number) {
  const count = workers * placesOfAWorker * jobsForEachPlace;
  const params = JSON.stringify({ prompt: `wait ${waitMs} ms` });
  const due = Date.now() + 1000 + count * 20;
  for (let n = 0; n < count; n++) await queuedJob(db, queue, accountId, { params, run_after: due });
  const live = async () => {
    const [queued, running] = [
      await db.one(countJobs, { state: 'queued' }),
      await db.one(countJobs, { state: 'running' }),
    ];
    return queued!.count + running!.count;
  };
  await until(async () => (await live()) === 0, 300_000);
  const { last } = (await db.one(lastEnd, {}))!;
  return count / ((last - due) / 1000);
}

const lastEnd = statement((db, _: Record<string, never>) =>
  db.selectFrom('jobs').select(({ fn }) => fn.max<number>('finished_at').as('last')),
);

/** A poller's request against node:http with the select it cannot do without. */
async function polls(): Promise<void> {
  const cluster = await startCluster({ apis: 1, workers: 1, jobMs: '0', durable: true });
  try {
    const account = await createAccount(cluster.db, { email: 'bench@example.com', credits: 1000 });
    const url = await cluster.apis[0]!.now.url;
    const headers = { 'x-api-key': account.api_key };
    const id = await runningJob(cluster, url, headers);
    const child = fork(new URL('./bare-select.ts', import.meta.url), [cluster.config.databaseUrl, id]);
    const [bare] = (await once(child, 'message')) as [{ url: string }];
    const guise = { url, request: requestBytes('POST', `/v2/status/${id}`, headers) };
    const floor = { url: bare.url, request: requestBytes('POST', '/', headers) };
    const load = { connections: 16, seconds };
    for (const target of [guise, floor]) await measure({ ...target, ...load, seconds: 0.5 });
    const results: { ours: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      results.push({
        ours: await measure({ ...guise, ...load }),
        bare: await measure({ ...floor, ...load }),
      });
    }
    child.kill('SIGKILL');
    const ratio = median(results.map(({ ours, bare }) => ours / bare));
    rows.push([
      'status of a running job',
      `${median(results.map(({ ours }) => ours)).toFixed(0)}/s`,
      `node:http and one prepared select: ${median(results.map(({ bare }) => bare)).toFixed(0)}/s`,
      percent(ratio),
      '≥ 50%',
      ratio >= 0.5 ? 'yes' : 'NO',
    ]);
  } finally {
    await cluster.stop();
  }
}

async function runningJob(cluster: Cluster, url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/v2/run/self-prompt`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'wait 3600000 ms' }),
  });
  const { id } = (await response.json()) as { id: string };
  while (!cluster.workers[0]!.begun.has(id)) await sleep(10);
  return id;
}

await overhead();
await scaling();
await polls();
const head = ['', 'Guise', 'against', 'ratio', 'goal', 'reached'];
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
if (rows.some((row) => row.at(-1) === 'NO')) process.exitCode = 1;
