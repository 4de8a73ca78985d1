import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import { createEngines } from '@guise/server/engines/engines.ts';
import type { EnginesPlan } from '@guise/server/engines/engines-file.ts';
import { accountOn } from '../packages/server/test/support/harness.ts';

/** Jobs at somebody else's server, by a client of theirs and through Guise, in turns. */

export interface PictureClient {
  /** Makes one picture. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Guise in this process, asked over HTTP. */
export async function startGuise(plan: EnginesPlan, photo: Buffer): Promise<PictureClient> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-bench-'));
  const config = readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_DATA_DIR: dataDir });
  // Before the server starts, which would make a demo account with previews otherwise.
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'bench@example.com', credits: 10_000 });
  await db.close();
  const app = await startApp(config, (settings) => createEngines(settings, plan));
  const caller = accountOn(app.url, account);
  const body = { base64: photo.toString('base64'), gender: 1, filter_id: 1 };
  return {
    async run() {
      const { id } = (await caller.call('POST', '/v6/run/face_swap', body)).body;
      for (;;) {
        const answer = await caller.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=60' });
        if (answer.body.status === 'COMPLETED') return;
        if (answer.body.status === 'FAILED') throw new Error(answer.body.error);
      }
    },
    async stop() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface JobTimes {
  /** Seconds of a job, as those who wait for it see it: the mean over all. */
  mean: number;
  /** Seconds until all were made, for each. */
  each: number;
  /** Seconds of processor time for each job, with what waits for it. */
  cpu: number;
}

/** So many jobs, so many of them at a time. */
async function measure(client: PictureClient, load: JobLoad, cpuSeconds: () => number): Promise<JobTimes> {
  const before = cpuSeconds();
  const began = performance.now();
  const times: number[] = [];
  let left = load.jobs;
  const lane = async (n: number) => {
    // Guests do not press the button all at once.
    await sleep((n * load.gpuSeconds * 1000) / load.parallel / load.gpus);
    while (left-- > 0) {
      const started = performance.now();
      await client.run();
      times.push((performance.now() - started) / 1000);
    }
  };
  await Promise.all(Array.from({ length: load.parallel }, (_, n) => lane(n)));
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    each: (performance.now() - began) / 1000 / times.length,
    cpu: (cpuSeconds() - before) / times.length,
  };
}

export interface JobLoad {
  gpuSeconds: number;
  /** Pictures that the server makes at once. */
  gpus: number;
  parallel: number;
  jobs: number;
}

export type TimesOfRounds = { bare: JobTimes; guise: JobTimes }[];

export const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

const ownCpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Both clients in turns on a server of their own. */
export async function compareInTurns(
  load: JobLoad,
  { bare, guise }: { bare: PictureClient; guise: PictureClient },
  cpuSeconds = ownCpuSeconds,
): Promise<TimesOfRounds> {
  try {
    await Promise.all([bare.run(), guise.run()]);
    const results: TimesOfRounds = [];
    for (let round = 0; round < rounds; round++)
      results.push({
        bare: await measure(bare, load, cpuSeconds),
        guise: await measure(guise, load, cpuSeconds),
      });
    return results;
  } finally {
    await Promise.all([bare.stop(), guise.stop()]);
  }
}
