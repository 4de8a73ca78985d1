import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sweep } from '@guise/server/jobs/sweep.ts';
import type { Blobs } from '@guise/server/store/blobs.ts';
import type { Db } from '@guise/server/store/db.ts';
import { countJobs } from '@guise/server/store/job-records.ts';
import { unbalancedAccounts } from '@guise/server/store/ledger-records.ts';
import type { JobRow, LedgerRow } from '@guise/server/store/schema.ts';
import { pino } from 'pino';
import { caseOf } from '../../packages/server/test/support/contract-cases.ts';
import { request } from '../../packages/server/test/support/harness.ts';
import { tinyPng } from '../../packages/server/test/support/test-engine.ts';

/** What a client of a server that is killed writes down, and how that is held against what the server says. */

/** The nth job is of the nth of these families. */
const cases = ['face_swap_v6', 'face_swap_v1', 'self_prompt_v2', 'multi_swap_v5'].map(caseOf);
export const caseOfJob = (n: number) => cases[n % cases.length]!;

const endWithinMs = 60_000;

export interface LogEntry {
  n: number;
  key: string | null;
  event: 'sent' | 'acknowledged' | 'refused';
  id?: string;
}

/** On disk before the next step, like the books of a client that means it. */
export function openClientLog() {
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

export const settledCount = (entries: LogEntry[]) => entries.filter((entry) => entry.event !== 'sent').length;

/** What the API says of every job that was acknowledged. */
export async function brokenAnswers(
  entries: LogEntry[],
  url: string,
  db: Db,
  headers: Record<string, string>,
): Promise<string[]> {
  const violations: string[] = [];
  const deadline = Date.now() + endWithinMs;
  const ids = new Map<string, number>();
  for (const { n, event, id } of entries) {
    if (event === 'refused') violations.push(`job ${n} was refused`);
    if (event !== 'acknowledged') continue;
    if (ids.has(id!)) violations.push(`jobs ${n} and ${ids.get(id!)} got the same id`);
    ids.set(id!, n);
    const path = `${caseOfJob(n).status}${id}`;
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

export async function liveJobs(db: Db): Promise<number> {
  const counts = await Promise.all(
    (['queued', 'running'] as const).map((state) => db.one(countJobs, { state })),
  );
  return counts.reduce((sum, row) => sum + row!.count, 0);
}

/** One charge for each job, one refund for each that failed, and no entry for anything else. */
export function brokenLedger(jobs: JobRow[], ledger: Pick<LedgerRow, 'job_id' | 'amount'>[]): string[] {
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
export async function brokenBlobs(db: Db, blobs: Blobs, jobs: JobRow[]): Promise<string[]> {
  await sweep({ db, blobs, log: pino({ level: 'silent' }) }, Date.now() + 2 * 3600_000);
  const left = new Set<string>();
  for (const prefix of ['inputs', 'results']) for await (const { key } of blobs.list(prefix)) left.add(key);
  const missing = jobs.filter((job) => job.result_key !== null && !left.delete(job.result_key));
  return [
    ...missing.map((job) => `the result of ${job.id} is gone`),
    ...[...left].map((key) => `${key} is left over`),
  ];
}
