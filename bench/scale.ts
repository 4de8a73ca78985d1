import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import type { Db } from '@guise/server/store/db.ts';
import { countJobs, findJobStatus } from '@guise/server/store/job-records.ts';
import type { Claim, Queue } from '@guise/server/store/queue.ts';
import { statement } from '@guise/server/store/statement.ts';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { queuedJob } from '../packages/server/test/jobs/queued-job.ts';
import { temporaryConfig, until } from '../packages/server/test/support/harness.ts';
import { execute, startOwnPostgres } from '../packages/server/test/support/postgres-server.ts';
import { type Cluster, startCluster } from '../test/e2e/cluster-nodes.ts';
import {
  type Goal,
  median,
  newGoals,
  percent,
  printMachine,
  printTable,
  reachedWord,
  times,
} from './goals.ts';
import { costOf } from './job-cost.ts';
import { createJobSteps, type JobSteps, type Storage } from './job-steps.ts';
import { measure, requestBytes } from './load.ts';
import { measureSustainedRate } from './sustained-rate.ts';

/**
 * An installation on PostgreSQL against what it stands on, in the same run, as ratios: these machines are noisy. Ends
 * with 1 when a goal is missed.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const jobsOfARound = 100;
const sustainedJobs = Number(process.env.BENCH_JOBS ?? 4000);
const goals = newGoals();
const rows: string[][] = [];
const addRow = (name: string, ours: string, against: string, judged: Goal | string = '') =>
  rows.push(
    typeof judged === 'string'
      ? [name, ours, against, judged, '', '']
      : [name, ours, against, judged.value, judged.limit, reachedWord(judged)],
  );
const costs: string[][] = [];
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

/** Milliseconds for each of `count` times, one after the other. */
async function each(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < count; n++) await work();
  return (performance.now() - started) / count;
}

/** pg-boss by itself, on connections that prepare its statements once, as ours do. */
async function bareBoss(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  // Connections may outlive the server by a moment.
  pool.on('error', () => {});
  const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url');
  const db = {
    executeSql: (text: string, values: unknown[] = []) =>
      pool.query(values.length === 0 ? { text } : { name: nameOf(text), text, values }),
  };
  const boss = new PgBoss({ db, schedule: false, registerInstance: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('bare');
  return {
    async sendAndFetch(): Promise<string> {
      await boss.send('bare', {});
      const [job] = await boss.fetch('bare');
      return job!.id;
    },
    complete: (id: string) => boss.complete('bare', id),
    async close(): Promise<void> {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

/** What the rows about overhead measure: submitted jobs of one installation, and pg-boss by itself. */
interface OverheadBench extends JobSteps {
  storage: Storage;
  databaseUrl: string;
  accountId: string;
  /** Submits a job and claims it. */
  claimOne(): Promise<Claim>;
  boss: Awaited<ReturnType<typeof bareBoss>>;
}

/** A job from its validated request to a worker that holds it, and to its end, against pg-boss by itself. */
async function overhead(): Promise<void> {
  const postgres = await startOwnPostgres({ durable: true });
  const config = temporaryConfig({ databaseUrl: await postgres.database() });
  const storage = await openStorage(config);
  const boss = await bareBoss(await postgres.database());
  try {
    const bench = await prepareOverhead(config, storage, boss);
    await measureClaimsAndEnds(bench);
    await measureCosts(bench);
    await measureSubmissions(bench);
  } finally {
    await boss.close();
    await storage.close();
    await postgres.stop();
  }
}

async function prepareOverhead(
  config: ReturnType<typeof temporaryConfig>,
  storage: Storage,
  boss: OverheadBench['boss'],
): Promise<OverheadBench> {
  const { id: accountId } = await createAccount(storage.db, {
    email: 'bench@example.com',
    credits: 1_000_000,
  });
  const steps = createJobSteps(config, storage);
  const claimOne = async () => {
    await steps.submitOf(accountId);
    return (await steps.claimNext())!;
  };
  return { ...steps, storage, databaseUrl: config.databaseUrl, accountId, claimOne, boss };
}

async function measureClaimsAndEnds({ claimOne, completeOne, boss }: OverheadBench): Promise<void> {
  const held: Claim[] = [];
  const fetched: string[] = [];
  const results: { claim: number; end: number; bareClaim: number; bareEnd: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    const claim = await each(jobsOfARound, async () => held.push(await claimOne()));
    const end = await each(jobsOfARound, () => completeOne(held.pop()!));
    const bareClaim = await each(jobsOfARound, async () => fetched.push(await boss.sendAndFetch()));
    const bareEnd = await each(jobsOfARound, () => boss.complete(fetched.pop()!));
    // The first round warms up.
    if (round >= 0) results.push({ claim, end, bareClaim, bareEnd });
  }
  const of = (pick: (result: (typeof results)[number]) => number) => median(results.map(pick));
  addRow(
    'submitted to claimed, a job',
    milliseconds(of(({ claim }) => claim)),
    `pg-boss send + fetch: ${milliseconds(of(({ bareClaim }) => bareClaim))}`,
    goals.atMost(
      'submitted to claimed',
      of(({ claim, bareClaim }) => claim / bareClaim),
      2,
      times,
    ),
  );
  addRow(
    'submitted to completed, with its charge and result',
    milliseconds(of(({ claim, end }) => claim + end)),
    `pg-boss send + fetch + complete: ${milliseconds(of(({ bareClaim, bareEnd }) => bareClaim + bareEnd))}`,
    goals.atMost(
      'submitted to completed',
      of(({ claim, end, bareClaim, bareEnd }) => (claim + end) / (bareClaim + bareEnd)),
      2,
      times,
    ),
  );
}

/** What each step of a job costs, and what is left of it. */
async function measureCosts(bench: OverheadBench): Promise<void> {
  const { storage, databaseUrl, accountId, submitOf, claimOne, claimNext, completeOne } = bench;
  const count = 500;
  const held: Claim[] = [];
  const size = async () =>
    Number(
      (await execute(databaseUrl, 'select pg_database_size(current_database()) as bytes')).rows[0].bytes,
    );
  const before = await size();
  const report = () => storage.db.one(countJobs, { state: 'running' });
  const cost = async (step: string, work: () => Promise<unknown>) =>
    costs.push([step, ...(await costOf({ url: databaseUrl, report }, count, work))]);
  await cost('submit', () => submitOf(accountId));
  await cost('claim', async () => held.push((await claimNext())!));
  await cost('complete', () => completeOne(held.pop()!));
  const left = ((await size()) - before) / count / 1024;
  const beating = await claimOne();
  await cost('a heartbeat', () => storage.queue.heartbeat(beating, Math.random()));
  const { id } = beating.job;
  await cost('a status poll', () => storage.db.one(findJobStatus, { id, account_id: accountId }));
  await cost('a poll that finds no job', claimNext);
  addRow('what is left of a job in PostgreSQL', `${left.toFixed(1)} KiB of rows and indexes`, '');
}

/** Jobs of one account are charged one after another: against as many of 16 accounts. */
async function measureSubmissions({ storage, accountId, submitOf }: OverheadBench): Promise<void> {
  const many = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      createAccount(storage.db, { email: `bench${n}@example.com`, credits: 1000 }),
    ),
  );
  const together = async (accounts: string[]) => {
    const started = performance.now();
    await Promise.all(accounts.map((account) => each(25, () => submitOf(account))));
    return (accounts.length * 25) / ((performance.now() - started) / 1000);
  };
  await together(many.map((account) => account.id));
  const apart = await together(many.map((account) => account.id));
  const alone = await together(many.map(() => accountId));
  addRow(
    'submissions, 16 at once, of one account',
    `${alone.toFixed(0)}/s`,
    `of 16 accounts: ${apart.toFixed(0)}/s`,
    percent(alone / apart),
  );
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
    // Else one worker would be measured cold and four of them warm.
    await rateOf(storage, id, { workers: 1, jobsForEachPlace: 1 });
    const one = await rateOf(storage, id, { workers: 1, jobsForEachPlace });
    await Promise.all([1, 2, 3].map(() => cluster.start('worker').now.url));
    await rateOf(storage, id, { workers: 4, jobsForEachPlace: 1 });
    const four = await rateOf(storage, id, { workers: 4, jobsForEachPlace });
    const possible = (placesOfAWorker * 1000) / waitMs;
    addRow(
      `jobs that wait ${waitMs} ms, 4 workers of ${placesOfAWorker}`,
      `${four.toFixed(1)}/s of ${4 * possible} possible`,
      `1 worker: ${one.toFixed(1)}/s of ${possible} possible`,
      goals.atLeast('4 workers against 4 times 1', four / (4 * one), 0.9, percent),
    );
  } finally {
    await storage.close();
    await cluster.stop();
  }
}

async function rateOf(
  { db, queue }: { db: Db; queue: Queue },
  accountId: string,
  wanted: { workers: number; jobsForEachPlace: number },
): Promise<number> {
  const count = wanted.workers * placesOfAWorker * wanted.jobsForEachPlace;
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
    addRow(
      'status of a running job',
      `${median(results.map(({ ours }) => ours)).toFixed(0)}/s`,
      `node:http and one prepared select: ${median(results.map(({ bare }) => bare)).toFixed(0)}/s`,
      goals.atLeast('status of a running job', ratio, 0.5, percent),
    );
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

/** Accepted to completed, as many as two workers with an engine that does nothing get through. */
async function sustained(): Promise<void> {
  const { perSecond, submitMs, workersMs, databaseMs } = await measureSustainedRate(sustainedJobs);
  addRow(
    `${sustainedJobs} jobs accepted and completed, 2 workers, an engine that does nothing`,
    `${perSecond.toFixed(0)}/s`,
    `processor: ${milliseconds(submitMs)} to submit, ${milliseconds(workersMs)} of the workers, ${milliseconds(databaseMs)} of PostgreSQL`,
  );
}

printMachine();
await overhead();
await sustained();
await scaling();
await polls();
printTable(
  [
    'one job',
    'transactions',
    'rows inserted / updated / deleted',
    'log',
    'processor, PostgreSQL',
    'processor, Guise',
  ],
  costs,
);
printTable(['', 'Guise', 'against', 'ratio', 'goal', 'reached'], rows);
goals.report();
