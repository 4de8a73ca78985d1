import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openStorage } from '../../src/app/storage.ts';
import type { Config } from '../../src/config.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { noJobHooks } from '../../src/jobs/job-hooks.ts';
import { noJobMetrics } from '../../src/jobs/job-metrics.ts';
import { startWorker } from '../../src/jobs/worker-loop.ts';
import { noSigner } from '../../src/provenance/result-signer.ts';
import { decodesHere } from '../support/decode-here.ts';
import { temporaryConfig, until } from '../support/harness.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { testEngine } from '../support/test-engine.ts';
import { queuedJob, storedAccount } from './queued-job.ts';

const postgres = await startPostgres();
after(() => postgres.stop());

const backlog = 1000;
const queues: Record<string, () => Promise<Partial<Config>>> = {
  'the jobs table': async () => ({}),
  'pg-boss': async () => ({ databaseUrl: await postgres.database() }),
};

for (const [name, settings] of Object.entries(queues)) {
  test(`${name}: beside an account with 1,000 waiting jobs, another’s single job starts within two jobs`, async () => {
    const config = temporaryConfig(await settings());
    const storage = await openStorage(config);
    const { db, queue } = storage;
    const [busy, single] = [await storedAccount(db), await storedAccount(db)];
    for (let made = 0; made < backlog; made += 10) {
      await Promise.all(Array.from({ length: 10 }, () => queuedJob(db, queue, busy.id, { price: 0 })));
    }

    const engine = testEngine();
    let mine = '';
    let startedAfter = -1;
    engine.before = async ({ jobId }) => {
      const begun = engine.requests.length;
      // The worker is well at work on the backlog when the other account comes.
      if (begun === 20) mine = (await queuedJob(db, queue, single.id)).id;
      if (jobId === mine) startedAfter = begun - 20;
    };
    const worker = startWorker(
      {
        ...storage,
        changes: createChanges(),
        jobHooks: noJobHooks,
        resultMs: config.resultMs,
        engines: [engine],
        scratchDir: join(config.dataDir, 'scratch'),
        installationId: '01890000-0000-7000-8000-000000000000',
        signer: noSigner,
        decoder: decodesHere,
        metrics: noJobMetrics,
        log: pino({ level: 'silent' }),
      },
      1,
    );
    await until(async () => startedAfter >= 0, 60_000);
    await worker.stop(10_000);
    await storage.close();
    rmSync(config.dataDir, { recursive: true, force: true });
    assert.ok(startedAfter <= 2, `it started after ${startedAfter} jobs of the other account`);
  });
}
