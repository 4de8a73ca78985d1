import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import type { JobRow, LedgerRow } from '@guise/server/store/schema.ts';
import Database from 'better-sqlite3';
import { type AttackName, attacks } from '../attacks.ts';
import { brokenBlobs, brokenLedger, liveJobs } from '../books.ts';
import { brokenJobs, startSoakClients } from './soak-clients.ts';
import { type LiveMemory, type ProcessResources, type SoakServer, startSoakServer } from './soak-server.ts';

/**
 * A server with the local engine, ordinary clients of all families, one attack after the other and one fault after the
 * other; at the end, nothing may be lost, charged twice, left over or grown: `npm run test:soak -- --minutes 60`.
 * Linux only: it reads /proc, and fills the disk by a limit on the size of files.
 */
export interface SoakReport {
  minutes: number;
  jobs: number;
  completed: number;
  failed: number;
  /** Why jobs failed, and how many for each reason. */
  reasons: ReadonlyMap<string, number>;
  attacks: number;
  faults: Record<FaultName, number>;
  /** In the second half, in which the server is not killed. */
  before: Held;
  after: Held;
  /** Every promise that was broken, in words. */
  violations: string[];
}

type Held = ProcessResources & LiveMemory;

const hour = 3600_000;
const faults = {
  kill: (server: SoakServer) => server.kill(),
  stoppedEngine: async (server: SoakServer) => void server.stopEngine(),
  clockBack: async (server: SoakServer) => server.setClockBy(-2 * hour),
  clockForward: async (server: SoakServer) => server.setClockBy(2 * hour),
  async fullDisk(server: SoakServer) {
    server.fillDisk();
    await sleep(3000);
    server.mayWrite();
  },
};
type FaultName = keyof typeof faults;
const killing: readonly FaultName[] = ['kill', 'stoppedEngine', 'fullDisk', 'clockBack', 'clockForward'];
const sparing: readonly FaultName[] = ['stoppedEngine', 'fullDisk', 'clockBack', 'clockForward'];

/** What memory in use may grow by: caches that fill. */
const mostGrowth = 1.2;
/** MB that a server uses with its caches: what is below has not grown. */
const usualInUse = 100;
/** MB that may be resident: with what the garbage collector and the allocator keep after bursts of uploads. */
const mostResident = 800;
/** What memory gets to come back after an attack, and idle connections to close, which the server keeps for 72 s. */
const settleMs = 90_000;
const mostNewDescriptors = 10;

export async function soak(wanted: { minutes: number }): Promise<SoakReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-soak-'));
  const env = {
    PORT: '0',
    GUISE_DATA_DIR: dataDir,
    GUISE_LOG_LEVEL: 'fatal',
    GUISE_DEMO: 'false',
    GUISE_ALLOW_PRIVATE_URLS: 'true',
    GUISE_ENGINE_SILENCE_SECONDS: '10',
  };
  const config = readConfig(env);
  const { db, blobs, close } = await openStorage(config);
  const account = (email: string) => createAccount(db, { email, credits: 10_000_000 });
  const [guest, attacker] = [await account('guest@example.com'), await account('attacker@example.com')];
  const headers = { 'x-api-key': guest.api_key };

  const server = startSoakServer(env);
  const clients = startSoakClients(2, server.url, headers);
  const endsAt = performance.now() + wanted.minutes * 60_000;
  const sliceMs = Math.round(Math.min(20_000, (wanted.minutes * 60_000) / 12));
  const count: Record<FaultName, number> = {
    kill: 0,
    stoppedEngine: 0,
    fullDisk: 0,
    clockBack: 0,
    clockForward: 0,
  };

  let attacked = 0;
  let isPaused = false;
  const attackInTurn = async () => {
    const names = Object.keys(attacks) as AttackName[];
    while (performance.now() < endsAt) {
      if (isPaused) {
        await sleep(500);
        continue;
      }
      const url = await server.url().catch(() => null);
      const signal = AbortSignal.timeout(sliceMs);
      if (url)
        await attacks[names[attacked++ % names.length]!]({ url, key: attacker.api_key }, signal).catch(
          () => {},
        );
      await sleep(sliceMs / 4);
    }
  };
  const breakUntil = async (until: number, names: readonly FaultName[]) => {
    for (let i = 0; performance.now() < until; i++) {
      await sleep(sliceMs);
      const name = names[i % names.length]!;
      await faults[name](server);
      count[name]++;
    }
  };

  const violations: string[] = [];
  const attacking = attackInTurn();
  await breakUntil(performance.now() + wanted.minutes * 30_000, killing);
  // Without attackers, as at the end: what one holds at the moment is no growth.
  isPaused = true;
  await sleep(sliceMs);
  const before = await leastHoldings(server);
  isPaused = false;
  await breakUntil(endsAt, sparing);
  await Promise.all([attacking, clients.stop()]);
  violations.push(...clients.surprises);
  violations.push(...(await brokenJobs(clients.accepted.values(), await server.url(), headers)));
  for (const deadline = performance.now() + 120_000; (await liveJobs(db)) > 0; await sleep(100)) {
    if (performance.now() < deadline) continue;
    violations.push(`${await liveJobs(db)} jobs have not ended`);
    break;
  }
  const after = await leastHoldings(server);
  const [usedBefore, usedAfter] = [before, after].map(({ heap, external }) => heap + external) as [
    number,
    number,
  ];
  if (usedAfter > mostGrowth * Math.max(usedBefore, usualInUse))
    violations.push(`memory in use grew from ${usedBefore.toFixed(0)} to ${usedAfter.toFixed(0)} MB`);
  if (after.memory > mostResident) violations.push(`${after.memory.toFixed(0)} MB are resident`);
  if (after.descriptors > before.descriptors + mostNewDescriptors)
    violations.push(
      `descriptors grew from ${before.descriptors} to ${after.descriptors}: ${server.openFiles().join(', ')}`,
    );
  await server.end();

  const records = new Database(join(dataDir, 'guise.db'));
  const jobs = records.prepare('select * from jobs').all() as JobRow[];
  violations.push(...brokenLedger(jobs, records.prepare('select * from ledger').all() as LedgerRow[]));
  records.close();
  violations.push(...(await brokenBlobs(db, blobs, jobs)));
  await close();
  rmSync(dataDir, { recursive: true, force: true });
  const ofGuest = jobs.filter((job) => job.account_id === guest.id);
  return {
    minutes: wanted.minutes,
    jobs: ofGuest.length,
    completed: ofGuest.filter(({ state }) => state === 'completed').length,
    failed: ofGuest.filter(({ state }) => state === 'failed').length,
    reasons: reasonsOf(ofGuest),
    attacks: attacked,
    faults: count,
    before,
    after,
    violations,
  };
}

/** The least memory and the fewest descriptors that a server has while nobody attacks it. */
async function leastHoldings(server: SoakServer): Promise<Held> {
  const least = server.holdings();
  for (const end = performance.now() + settleMs; performance.now() < end; await sleep(500)) {
    const { memory, descriptors } = server.holdings();
    least.memory = Math.min(least.memory, memory);
    least.descriptors = Math.min(least.descriptors, descriptors);
  }
  return { ...least, ...(await server.live()) };
}

function reasonsOf(jobs: readonly JobRow[]): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const { error } of jobs) if (error !== null) reasons.set(error, (reasons.get(error) ?? 0) + 1);
  return reasons;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
  const report = await soak({ minutes: Number(values.minutes) });
  const { faults: met, before, after, violations } = report;
  const rows = [
    ['minutes', String(report.minutes)],
    ['jobs of ordinary clients', `${report.jobs}: ${report.completed} completed, ${report.failed} failed`],
    ...[...report.reasons].map(([reason, count]) => [`failed: ${reason}`, String(count)]),
    ['attacks, each for up to 20 s', String(report.attacks)],
    ['kills of the server', String(met.kill)],
    ['engine processes stopped', String(met.stoppedEngine)],
    ['full disks', String(met.fullDisk)],
    ['clock set by two hours', `${met.clockBack} times back, ${met.clockForward} times forward`],
    ['memory of the server, second half', `${before.memory.toFixed(0)} → ${after.memory.toFixed(0)} MB`],
    ['of it in use, heap', `${before.heap.toFixed(0)} → ${after.heap.toFixed(0)} MB`],
    ['of it in use, buffers', `${before.external.toFixed(0)} → ${after.external.toFixed(0)} MB`],
    ['descriptors, second half', `${before.descriptors} → ${after.descriptors}`],
    ['lost, charged twice, left over', String(violations.length)],
  ];
  console.log(['| | |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'));
  for (const violation of violations) console.log(violation);
  if (violations.length > 0) process.exitCode = 1;
}
