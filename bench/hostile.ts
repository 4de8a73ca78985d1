import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { AttackName } from '../test/e2e/attacks.ts';
import { type CheckoutServer, runJob, startCheckout } from '../tools/checkout-server.ts';
import { median, newGoals, printHead, printMachine, printRow, reachedWord, times } from './goals.ts';
import { startSilentResolver } from './silent-resolver.ts';

/**
 * Ordinary clients beside attackers: each attack in turn, with quiet time before it, on one server with the local
 * engine. Ends with 1 when the clients' 99th percentile is more than three times the quiet one, or their slowest job
 * took more than twice as long as the slowest quiet one.
 *
 *   npm run bench:hostile -- [--only ATTACK,…] [--seconds N] [--checkout FOLDER]
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '30' },
    checkout: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const phaseMs = Number(flags.seconds) * 1000;

const names: AttackName[] = [
  'strangePictures',
  'bombs',
  'logins',
  'values',
  'webhooks',
  'previews',
  'idleConnections',
  'pipelinedRequests',
  'slowPhotos',
  'nameLookups',
  'setPhotos',
];
const photo = await sharp(
  new URL('../node_modules/@vladmandic/face-api/demo/sample6.jpg', import.meta.url).pathname,
)
  .extract({ left: 20, top: 300, width: 640, height: 1237 })
  .jpeg({ quality: 92 })
  .toBuffer();

interface Phase {
  /** Milliseconds of the clients' requests. */
  requests: number[];
  /** Seconds of their jobs, from the submission to the result. */
  jobs: number[];
}

const job = {
  run: '/v6/run/face_swap',
  status: '/v6/status/',
  body: { base64: photo.toString('base64'), gender: 1, filter_id: 1, quality_mode: 'v6' },
};

/** One client that makes picture after picture, and three that ask every 20 ms for catalogs, credits and a result. */
async function beClients(server: CheckoutServer, finished: string): Promise<Phase> {
  const phase: Phase = { requests: [], jobs: [] };
  const end = performance.now() + phaseMs;
  const make = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      const { status } = await runJob(server, job);
      if (status !== 'COMPLETED') throw new Error(`a client's job ended as ${status}`);
      phase.jobs.push((performance.now() - began) / 1000);
    }
  };
  const ask = async (method: string, path: string) => {
    while (performance.now() < end) {
      const began = performance.now();
      await server.call(method, path);
      phase.requests.push(performance.now() - began);
      await sleep(20);
    }
  };
  await Promise.all([
    make(),
    ask('GET', '/v6/filters'),
    ask('GET', '/v1/users/me/credits'),
    ask('POST', job.status + finished),
  ]);
  return phase;
}

function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
}

async function underAttack(name: AttackName, target: { url: string; key: string }, work: Promise<Phase>) {
  const attacker = fork(new URL('./attacker.ts', import.meta.url), [name, target.url, target.key], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const phase = await work;
  attacker.kill('SIGKILL');
  await once(attacker, 'exit');
  return phase;
}

/** What an attack left behind must not be counted as quiet: previews, webhooks and cancelled jobs end first. */
const settleMs = 5000;

const folder = mkdtempSync(join(tmpdir(), 'guise-hostile-'));
const { checkout } = flags;
const dataDir = join(folder, 'data');
const resolver = await startSilentResolver(folder);
if (!resolver) console.log('The resolver of this machine is asked: a silent one needs root on Linux.');
const server = await startCheckout(checkout, dataDir, {
  ...(resolver && { startedBy: resolver.startedBy }),
  env: {
    GUISE_PRICES: '{"face_swap_v6": 0}',
    // The black hole is on this machine.
    GUISE_ALLOW_PRIVATE_URLS: 'true',
  },
});
try {
  const created = execFileSync(
    process.execPath,
    [
      join(checkout, 'packages/server/src/cli/main.ts'),
      ...['accounts', 'create', '--email', 'attacker@example.com', '--credits', '1000000', '--json'],
    ],
    { env: { ...process.env, GUISE_DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  const target = { url: server.url, key: (JSON.parse(created) as { api_key: string }).api_key };
  const { id: finished } = await runJob(server, job);
  await sleep(settleMs);

  printMachine();
  const goals = newGoals();
  printHead([
    'attack',
    'requests',
    'quiet p99',
    'p99',
    'ratio',
    'quiet job',
    'slowest job',
    'ratio',
    'reached',
  ]);
  const wanted = flags.only.split(',');
  for (const name of names.filter((one) => wanted.some((part) => one.includes(part)))) {
    const quiet = await beClients(server, finished);
    const attacked = await underAttack(name, target, beClients(server, finished));
    const p99 = { quiet: percentile99(quiet.requests), attacked: percentile99(attacked.requests) };
    const slowest = { quiet: Math.max(...quiet.jobs), attacked: Math.max(...attacked.jobs) };
    const latency = goals.atMost(`${name}: p99 of requests`, p99.attacked / p99.quiet, 3, times);
    const lateness = goals.atMost(`${name}: slowest job`, slowest.attacked / slowest.quiet, 2, times);
    printRow([
      name,
      String(attacked.requests.length),
      `${p99.quiet.toFixed(1)} ms`,
      `${p99.attacked.toFixed(1)} ms`,
      latency.value,
      `${slowest.quiet.toFixed(2)} s (median ${median(quiet.jobs).toFixed(2)})`,
      `${slowest.attacked.toFixed(2)} s (median ${median(attacked.jobs).toFixed(2)})`,
      lateness.value,
      `${reachedWord(latency)}, ${reachedWord(lateness)}`,
    ]);
    await sleep(settleMs);
  }
  goals.report();
} finally {
  await server.stop();
  resolver?.close();
  rmSync(folder, { recursive: true, force: true });
}
