import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { leaseMs } from '@guise/server/store/lease.ts';
import type { JobRow } from '@guise/server/store/schema.ts';
import { statement } from '@guise/server/store/statement.ts';
import { until } from '../../packages/server/test/support/harness.ts';
import { execute } from '../../packages/server/test/support/postgres-server.ts';
import { brokenAnswers, brokenBlobs, brokenLedger, liveJobs, openClientLog, settledCount } from './books.ts';
import { type Cluster, type ClusterNode, startCluster } from './cluster-nodes.ts';
import { submissions } from './submitters.ts';

/**
 * Two API nodes and three workers on one PostgreSQL and S3 server. Any of them is killed with SIGKILL at any time,
 * PostgreSQL too, while clients submit jobs:
 * `npm run test:cluster -- --kills 100 --database-kills 5 --jobs 2000`.
 */
export interface ClusterReport {
  kills: number;
  databaseKills: number;
  acknowledged: number;
  unanswered: number;
  completed: number;
  failed: number;
  /** Jobs that were running when their worker was killed, by how often. */
  losses: number;
  /** The longest from a take that was lost to the next, or to the job's end, in seconds. */
  slowest: number;
  /** Jobs that took longer than a lease and 15 s. On a machine with time for it there are none. */
  late: number;
  seconds: number;
  /** Every promise that was broken, in words; none is the point of it all. */
  violations: string[];
}

const endedWithinMs = leaseMs + 15_000;
/** What the jobs that wait when the last was submitted may take, on any machine. */
const drainMs = 15 * 60_000;

export async function clusterRun(wanted: {
  kills: number;
  databaseKills: number;
  jobs: number;
}): Promise<ClusterReport> {
  const began = Date.now();
  const cluster = await startCluster({ apis: 2, workers: 3, jobMs: '20-60' });
  await execute(cluster.config.databaseUrl, writeDownTakes);
  const log = openClientLog();
  const account = await createAccount(cluster.db, {
    email: 'cluster@example.com',
    credits: wanted.jobs * 10,
  });
  const headers = { 'x-api-key': account.api_key };
  const submitted = submissions(wanted.jobs, { log, headers, url: cluster.url });

  const disturb = async () => {
    for (const kill of shuffled(wanted)) {
      const share = wanted.jobs / (wanted.kills + wanted.databaseKills);
      const goal = Math.min(wanted.jobs, submitted.settled() + Math.random() * 2 * share);
      while (submitted.settled() < goal) await sleep(5);
      await (kill === 'database' ? killDatabase(cluster) : killNode(cluster, kill));
    }
  };

  const violations: string[] = [];
  try {
    await Promise.all([disturb(), submitted.send()]);
    await until(async () => (await liveJobs(cluster.db)) === 0, drainMs);
    const url = await cluster.url();
    violations.push(...(await brokenAnswers(log.read(), url, cluster.db, headers)));
    const jobs = await cluster.db.all(allJobs, {});
    const late = await lateness(cluster, jobs);
    violations.push(...brokenLedger(jobs, await cluster.db.all(allEntries, {})));
    violations.push(...(await brokenBuckets(cluster, jobs)));
    const entries = log.read();
    return {
      kills: wanted.kills,
      databaseKills: wanted.databaseKills,
      acknowledged: entries.filter((entry) => entry.event === 'acknowledged').length,
      unanswered: wanted.jobs - settledCount(entries),
      completed: jobs.filter((job) => job.state === 'completed').length,
      failed: jobs.filter((job) => job.state === 'failed').length,
      losses: jobs.reduce((sum, job) => sum + job.losses, 0),
      slowest: Math.round(late.slowestMs / 1000),
      late: late.count,
      seconds: Math.round((Date.now() - began) / 1000),
      violations,
    };
  } finally {
    log.remove();
    await cluster.stop();
  }
}

function shuffled(wanted: { kills: number; databaseKills: number }): (ClusterNode['role'] | 'database')[] {
  const kills = Array.from({ length: wanted.kills }, (_, i) => (i % 2 === 0 ? 'worker' : 'api'));
  const databaseKills = Array.from({ length: wanted.databaseKills }, () => 'database' as const);
  return [...kills, ...databaseKills].sort(() => Math.random() - 0.5);
}

/** Any node of a role, whether it is just starting, idle, or in the middle of a job. */
async function killNode(cluster: Cluster, role: ClusterNode['role']): Promise<void> {
  const nodes = role === 'api' ? cluster.apis : cluster.workers;
  const node = nodes[Math.floor(Math.random() * nodes.length)]!;
  if (node.role === 'worker' && Math.random() < 0.7) {
    await Promise.race([node.now.nextJob(), sleep(1000)]);
  } else await sleep(Math.random() * 100);
  const { now } = node;
  now.kill('SIGKILL');
  await now.exited;
}

async function killDatabase(cluster: Cluster): Promise<void> {
  await cluster.postgres.kill();
  await sleep(Math.random() * 1000);
  await cluster.postgres.restart();
}

/** PostgreSQL itself writes down when a job is taken: a worker may be killed before it could tell. */
const writeDownTakes = `
  create table takes (job text not null, at bigint not null);
  create function write_down_take() returns trigger language plpgsql as $$
  begin
    insert into takes values (new.id, (extract(epoch from clock_timestamp()) * 1000)::bigint);
    return null;
  end $$;
  create trigger take after update on jobs for each row
    when (new.state = 'running' and old.state <> 'running') execute function write_down_take();
`;

/**
 * From a take that came to nothing to the next one or, of the last such take, to the job's end. The kill came after
 * the take, so no job took longer than that after its kill.
 */
async function lateness(cluster: Cluster, jobs: JobRow[]): Promise<{ slowestMs: number; count: number }> {
  const { rows } = await execute(cluster.config.databaseUrl, 'select job, at from takes order by at');
  const takes = Map.groupBy(rows as { job: string; at: string }[], (take) => take.job);
  const times = jobs.flatMap((job) => {
    const taken = (takes.get(job.id) ?? []).map((take) => Number(take.at));
    const lost = taken.slice(0, -1);
    return lost.map((at, i) => (i === lost.length - 1 ? job.finished_at! : taken[i + 1]!) - at);
  });
  return { slowestMs: Math.max(0, ...times), count: times.filter((ms) => ms > endedWithinMs).length };
}

async function brokenBuckets(cluster: Cluster, jobs: JobRow[]): Promise<string[]> {
  const storage = await openStorage(cluster.config);
  try {
    return await brokenBlobs(cluster.db, storage.blobs, jobs);
  } finally {
    await storage.close();
  }
}

const allJobs = statement((db, _: Record<string, never>) => db.selectFrom('jobs').selectAll());
const allEntries = statement((db, _: Record<string, never>) =>
  db.selectFrom('ledger').selectAll().orderBy('id'),
);

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '100' },
      'database-kills': { type: 'string', default: '5' },
      jobs: { type: 'string', default: '2000' },
    },
  });
  const report = await clusterRun({
    kills: Number(values.kills),
    databaseKills: Number(values['database-kills']),
    jobs: Number(values.jobs),
  });
  console.log(
    `${report.kills} nodes and ${report.databaseKills} times PostgreSQL killed over ${values.jobs} jobs in ` +
      `${report.seconds} s: ${report.acknowledged} acknowledged, ${report.unanswered} unanswered, ` +
      `${report.completed} completed, ${report.failed} failed, ${report.losses} runs lost to a kill, ` +
      `ended at most ${report.slowest} s after it, ${report.late} of them late, ` +
      `${report.violations.length} violations`,
  );
  for (const violation of report.violations) console.log(violation);
  if (report.violations.length > 0 || report.late > 0) process.exitCode = 1;
}
