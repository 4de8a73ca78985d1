import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { diskBlobs } from '@guise/server/store/embedded/blobs-disk.ts';
import type { JobRow, LedgerRow } from '@guise/server/store/schema.ts';
import Database from 'better-sqlite3';
import { temporaryConfig } from '../../packages/server/test/support/harness.ts';
import { brokenAnswers, brokenBlobs, brokenLedger, openClientLog, settledCount } from './books.ts';
import { startServerProcess } from './server-process.ts';
import { submissions } from './submitters.ts';

/**
 * Kills a server with SIGKILL again and again while a client submits jobs, and then holds the client's own log
 * against what the server says: `npm run test:crash -- --kills 100 --jobs 1000`.
 */
export interface CrashReport {
  kills: number;
  acknowledged: number;
  /** Sent without an Idempotency-Key and never answered: the job may exist or not. */
  unanswered: number;
  completed: number;
  failed: number;
  /** Jobs that were running when their server was killed, by how often. */
  losses: number;
  seconds: number;
  /** Every promise that was broken, in words; none is the point of it all. */
  violations: string[];
}

export async function crashRun(wanted: { kills: number; jobs: number }): Promise<CrashReport> {
  const began = Date.now();
  const config = temporaryConfig();
  const log = openClientLog();
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'crash@example.com', credits: wanted.jobs * 10 });
  const headers = { 'x-api-key': account.api_key };

  // The first server's jobs never end: at least one is running when it is killed.
  let server = startServerProcess(config.dataDir, '3600000-3600000');
  const submitted = submissions(wanted.jobs, { log, headers, url: () => server.url });

  const killAll = async () => {
    for (let kill = 0; kill < wanted.kills; kill++) {
      await (kill === 0 ? server.nextJob() : nextPoint());
      server.kill('SIGKILL');
      await server.exited;
      server = startServerProcess(config.dataDir);
    }
  };
  /** While it starts; right after a job was accepted and began; or at any point of a share of the jobs. */
  const nextPoint = async () => {
    const chance = Math.random();
    if (chance < 0.15) await Promise.race([server.url, sleep(Math.random() * 1000)]);
    else if (chance < 0.5) await Promise.race([server.nextJob(), sleep(2000)]);
    else await shareOfWork();
  };
  const shareOfWork = async () => {
    await server.url;
    const goal = submitted.settled() + Math.random() * 2 * (wanted.jobs / wanted.kills);
    while (submitted.settled() < Math.min(goal, wanted.jobs)) await sleep(1);
    await sleep(Math.random() * 60);
  };

  const violations: string[] = [];
  try {
    await Promise.all([killAll(), submitted.send()]);
    violations.push(...(await brokenAnswers(log.read(), await server.url, db, headers)));
  } finally {
    server.kill('SIGTERM');
    await server.exited;
    await db.close();
  }

  const records = new Database(join(config.dataDir, 'guise.db'));
  const jobs = records.prepare('select * from jobs').all() as JobRow[];
  violations.push(...brokenLedger(jobs, records.prepare('select * from ledger').all() as LedgerRow[]));
  records.close();
  const after = await openStore(config);
  violations.push(...(await brokenBlobs(after, diskBlobs(join(config.dataDir, 'blobs')), jobs)));
  await after.close();
  rmSync(config.dataDir, { recursive: true, force: true });
  const entries = log.read();
  log.remove();
  return {
    kills: wanted.kills,
    acknowledged: entries.filter((entry) => entry.event === 'acknowledged').length,
    unanswered: wanted.jobs - settledCount(entries),
    completed: jobs.filter((job) => job.state === 'completed').length,
    failed: jobs.filter((job) => job.state === 'failed').length,
    losses: jobs.reduce((sum, job) => sum + job.losses, 0),
    seconds: Math.round((Date.now() - began) / 1000),
    violations,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '100' }, jobs: { type: 'string', default: '1000' } },
  });
  const report = await crashRun({ kills: Number(values.kills), jobs: Number(values.jobs) });
  console.log(
    `${report.kills} kills, ${values.jobs} jobs in ${report.seconds} s: ${report.acknowledged} acknowledged, ` +
      `${report.unanswered} unanswered, ${report.completed} completed, ${report.failed} failed, ` +
      `${report.losses} runs lost to a kill, ${report.violations.length} violations`,
  );
  for (const violation of report.violations) console.log(violation);
  if (report.violations.length > 0) process.exitCode = 1;
}
