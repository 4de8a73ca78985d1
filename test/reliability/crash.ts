import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { createAccount } from '../../src/accounts/accounts.ts';
import { openStore } from '../../src/app.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { diskBlobs } from '../../src/store/blobs-disk.ts';
import type { Db } from '../../src/store/db.ts';
import { countJobs } from '../../src/store/jobs.ts';
import { unbalancedAccounts } from '../../src/store/ledger.ts';
import type { JobRow, LedgerRow } from '../../src/store/schema.ts';
import { caseOf } from '../contract-cases.ts';
import { tinyPng } from '../engine.ts';
import { request, temporaryConfig } from '../harness.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * Kills a server with SIGKILL again and again while a client submits jobs, and then holds the client's own log
 * against what the server says: `node test/reliability/crash.ts --kills 100 --jobs 1000`.
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

const cases = ['face_swap_v6', 'face_swap_v1', 'self_prompt_v2', 'multi_swap_v5'].map(caseOf);
const submitters = 4;
const endWithinMs = 60_000;

export async function crashRun(wanted: { kills: number; jobs: number }): Promise<CrashReport> {
  const began = Date.now();
  const config = temporaryConfig();
  const log = openClientLog();
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'crash@example.com', credits: wanted.jobs * 10 });
  const headers = { 'x-api-key': account.api_key };

  let server = startServerProcess(config.dataDir);
  let sent = 0;
  let settled = 0;

  const submitAll = async () => {
    while (sent < wanted.jobs) await submitOne(sent++);
  };
  const tryToSubmit = (url: string, run: string, body: unknown, key: string | null) =>
    request(url, 'POST', run, body, { ...headers, ...(key && { 'idempotency-key': key }) }).catch(
      // Only a server that was not there has certainly not made the job.
      (error) => (error.cause?.code === 'ECONNREFUSED' ? null : ('in doubt' as const)),
    );
  const submitOne = async (n: number) => {
    const { run, body } = cases[n % cases.length]!;
    // Odd jobs have a key and are sent until they are answered; even ones are sent once.
    const key = n % 2 === 1 ? `job-${n}` : null;
    log.write({ n, key, event: 'sent' });
    for (;;) {
      const url = await server.url.catch(() => null);
      const answer = url && (await tryToSubmit(url, run, body, key));
      if (answer && answer !== 'in doubt') {
        const { id } = answer.body;
        log.write(
          answer.status === 200 ? { n, key, event: 'acknowledged', id } : { n, key, event: 'refused' },
        );
        break;
      }
      if (answer === 'in doubt' && key === null) break;
      await sleep(5);
    }
    settled++;
  };

  const killAll = async () => {
    for (let kill = 0; kill < wanted.kills; kill++) {
      await nextPoint();
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
    const goal = settled + Math.random() * 2 * (wanted.jobs / wanted.kills);
    while (settled < goal && settled < wanted.jobs) await sleep(1);
    await sleep(Math.random() * 60);
  };

  const violations: string[] = [];
  try {
    await Promise.all([killAll(), ...Array.from({ length: submitters }, submitAll)]);
    violations.push(...(await broken(log.read(), server, db, headers)));
  } finally {
    server.kill('SIGTERM');
    await server.exited;
    await db.close();
  }

  const records = new Database(join(config.dataDir, 'guise.db'));
  const jobs = records.prepare('select * from jobs').all() as JobRow[];
  violations.push(...brokenLedger(jobs, records.prepare('select * from ledger').all() as LedgerRow[]));
  records.close();
  violations.push(...(await brokenBlobs(config.dataDir, jobs)));
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

const settledCount = (entries: LogEntry[]) => entries.filter((entry) => entry.event !== 'sent').length;

interface LogEntry {
  n: number;
  key: string | null;
  event: 'sent' | 'acknowledged' | 'refused';
  id?: string;
}

/** On disk before the next step, like the books of a client that means it. */
function openClientLog() {
  const folder = mkdtempSync(join(tmpdir(), 'guise-client-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'a');
  return {
    write(entry: LogEntry) {
      writeSync(file, `${JSON.stringify(entry)}\n`);
      fdatasyncSync(file);
    },
    read: () =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LogEntry),
    remove() {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the API says of every job that was acknowledged. */
async function broken(
  entries: LogEntry[],
  server: ServerProcess,
  db: Db,
  headers: Record<string, string>,
): Promise<string[]> {
  const violations: string[] = [];
  const url = await server.url;
  const deadline = Date.now() + endWithinMs;
  const ids = new Map<string, number>();
  for (const { n, event, id } of entries) {
    if (event === 'refused') violations.push(`job ${n} was refused`);
    if (event !== 'acknowledged') continue;
    if (ids.has(id!)) violations.push(`jobs ${n} and ${ids.get(id!)} got the same id`);
    ids.set(id!, n);
    const path = `${cases[n % cases.length]!.status}${id}`;
    const wait = { prefer: `wait=${Math.max(1, Math.ceil((deadline - Date.now()) / 1000))}` };
    const { status, body } = await request(url, 'POST', path, undefined, { ...headers, ...wait });
    const picture = Buffer.concat([tinyPng, Buffer.from(id!)]).toString('base64');
    if (status !== 200) violations.push(`job ${n} is lost: ${status} ${body.error_code}`);
    else if (body.status === 'COMPLETED') {
      if (body.output.images.length !== 1 || body.output.images[0] !== picture) {
        violations.push(`job ${n} shows something else than its own one picture`);
      }
    } else if (body.status !== 'FAILED' || !body.error) violations.push(`job ${n} ends as ${body.status}`);
  }
  // Those that were not answered may exist as well, and must end too.
  while (Date.now() < deadline && (await liveJobs(db)) > 0) await sleep(20);
  for (const account of await db.all(unbalancedAccounts, {})) {
    violations.push(`account ${account.id} has ${account.balance}, its entries say ${account.total}`);
  }
  return violations;
}

async function liveJobs(db: Db): Promise<number> {
  const counts = await Promise.all(
    (['queued', 'running'] as const).map((state) => db.one(countJobs, { state })),
  );
  return counts.reduce((sum, row) => sum + row!.count, 0);
}

/** One charge for each job, one refund for each that failed, and no entry for anything else. */
function brokenLedger(jobs: JobRow[], ledger: LedgerRow[]): string[] {
  const violations: string[] = [];
  const entries = Map.groupBy(ledger, (entry) => entry.job_id);
  for (const { id, state, price } of jobs) {
    const expected = state === 'failed' ? [-price, price] : [-price];
    const found = (entries.get(id) ?? []).map((entry) => entry.amount);
    if (state !== 'failed' && state !== 'completed') violations.push(`job ${id} never ended: ${state}`);
    if (found.join() !== expected.join()) violations.push(`job ${id} is ${state}, charged ${found.join()}`);
    entries.delete(id);
  }
  entries.delete(null);
  for (const id of entries.keys()) violations.push(`the ledger has entries of ${id}, which is no job`);
  return violations;
}

/** After a sweep: one result of each completed job, and nothing else of anybody. */
async function brokenBlobs(dataDir: string, jobs: JobRow[]): Promise<string[]> {
  const blobs = diskBlobs(join(dataDir, 'blobs'));
  const db = await openStore({ ...temporaryConfig(), dataDir });
  await sweep({ db, blobs, log: pino({ level: 'silent' }) }, Date.now() + 2 * 3600_000);
  await db.close();
  const left = new Set<string>();
  for (const prefix of ['inputs', 'results']) for await (const { key } of blobs.list(prefix)) left.add(key);
  const missing = jobs.filter((job) => job.result_key !== null && !left.delete(job.result_key));
  return [
    ...missing.map((job) => `the result of ${job.id} is gone`),
    ...[...left].map((key) => `${key} is left over`),
  ];
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
