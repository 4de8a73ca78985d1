import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { countJobs } from '@guise/server/store/job-records.ts';
import { until } from '../packages/server/test/support/harness.ts';
import { execute } from '../packages/server/test/support/postgres-server.ts';
import { type Cluster, startCluster } from '../test/e2e/cluster-nodes.ts';
import { createJobSteps } from './job-steps.ts';
import { parentOf, treeCpuSeconds } from './process-usage.ts';

/** How many jobs a second go from acceptance to completion, and the processor milliseconds that one of them takes. */
export interface SustainedRate {
  perSecond: number;
  submitMs: number;
  workersMs: number;
  databaseMs: number;
}

const accounts = 16;
const submittersOfAnAccount = 2;

/** Jobs of many accounts for two workers with an engine that does nothing; blobs are files. */
export async function measureSustainedRate(jobs: number): Promise<SustainedRate> {
  const options = { apis: 0, workers: 2, jobMs: '0', durable: true };
  const cluster = await startCluster(options, { concurrency: 16, maxQueued: 2 * jobs, s3: null });
  const storage = await openStorage(cluster.config);
  try {
    const { submitOf } = createJobSteps(cluster.config, storage, 'wait 0 ms');
    const ids = await Promise.all(
      Array.from({ length: accounts }, async (_, n) => {
        const account = { email: `bench${n}@example.com`, credits: 1_000_000 };
        return (await createAccount(storage.db, account)).id;
      }),
    );
    const submitAll = (count: number) => {
      const ofEach = Math.ceil(count / accounts / submittersOfAnAccount);
      const submitters = Array.from({ length: submittersOfAnAccount }, () => ids).flat();
      return Promise.all(
        submitters.map(async (id) => {
          for (let n = 0; n < ofEach; n++) await submitOf(id);
        }),
      );
    };
    const completed = async () => (await storage.db.one(countJobs, { state: 'completed' }))!.count;
    const play = async (count: number) => {
      const wanted = (await completed()) + count;
      await submitAll(count);
      await until(async () => (await completed()) >= wanted, 600_000);
    };
    // The first ones warm all processes up.
    await play(320);
    const before = await readProcessorMs(cluster);
    const began = performance.now();
    await play(jobs);
    const seconds = (performance.now() - began) / 1000;
    const after = await readProcessorMs(cluster);
    const spent = (name: keyof typeof after) => (after[name] - before[name]) / jobs;
    return {
      perSecond: jobs / seconds,
      submitMs: spent('submit'),
      workersMs: spent('workers'),
      databaseMs: spent('database'),
    };
  } finally {
    await storage.close();
    await cluster.stop();
  }
}

async function readProcessorMs({ config, workers }: Cluster) {
  const checkpointer = `select pid from pg_stat_activity where backend_type = 'checkpointer'`;
  const { rows } = await execute(config.databaseUrl, checkpointer);
  const { user, system } = process.cpuUsage();
  return {
    submit: (user + system) / 1000,
    workers: 1000 * workers.reduce((sum, { now }) => sum + treeCpuSeconds(now.pid), 0),
    database: 1000 * treeCpuSeconds(parentOf(rows[0].pid)),
  };
}
