import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { startApi } from '@guise/server/app/api-node.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { startWorkerNode } from '@guise/server/app/worker-node.ts';
import type { Config } from '@guise/server/config.ts';
import type { Db } from '@guise/server/store/db.ts';
import { statement } from '@guise/server/store/statement.ts';
import {
  accountOn,
  type TestAccount,
  temporaryConfig,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { door, testEngine } from '../../../packages/server/test/support/test-engine.ts';
import { countRenders, create, endlessWork, filters, openTest, previewsOf } from './filter-calls.ts';

const setLease = statement((db, p: { lease_until: number }) =>
  db.updateTable('renders').set({ lease_until: p.lease_until }),
);

const postgres = await startPostgres();
after(() => postgres.stop());
const places: Record<string, () => Promise<Partial<Config>>> = {
  SQLite: async () => ({ demo: false }),
  PostgreSQL: async () => ({ demo: false, databaseUrl: await postgres.database() }),
};

for (const [name, place] of Object.entries(places))
  test(`previews that run and wait when a server stops are made after its start, on ${name}`, async () => {
    const config = temporaryConfig({ ...(await place()), concurrency: 1 });
    const [before, after] = [testEngine(), testEngine()];
    const gate = door();
    before.before = gate.work;
    const app = await startApp(config, () => [before]);
    const db = await openStore(config);
    const stored = await createAccount(db, { email: 'restart@example.com', credits: 0 });
    const account = accountOn(app.url, stored);
    for (let n = 0; n < 3; n++) await create(account);
    await gate.reached;
    const unanswered = openTest(account, (await account.call('GET', filters)).body[0].id);
    await until(async () => (await countRenders(db)) === 4);
    await app.stop();
    await unanswered.ended;
    assert.equal(before.requests.length, 1);

    const again = await startApp(config, () => [after]);
    await until(async () => (await previewsOf(accountOn(again.url, stored))).length === 3);
    // Nobody waits for the test any more.
    await until(async () => (await countRenders(db)) === 0);
    assert.equal(after.requests.length, 3);
    await again.stop();
    await db.close();
    rmSync(config.dataDir, { recursive: true });
  });

test('an embedded server that was killed makes the preview that it had claimed at its start', async () => {
  const config = temporaryConfig({ demo: false });
  const engine = testEngine();
  const gate = door();
  engine.before = gate.work;
  const first = await startApp(config, () => [engine]);
  const db = await openStore(config);
  const stored = await createAccount(db, { email: 'killed@example.com', credits: 0 });
  await create(accountOn(first.url, stored));
  await gate.reached;
  await first.stop();
  // A killed process leaves its lease.
  await db.run(setLease, { lease_until: Date.now() + 30_000 });
  const second = await startApp(config, () => [testEngine()]);
  await until(async () => (await previewsOf(accountOn(second.url, stored))).length === 1);
  await second.stop();
  await db.close();
  rmSync(config.dataDir, { recursive: true });
});

describe('an API node without engines, and a worker', () => {
  const engine = testEngine();
  let config: Config;
  let db: Db;
  let account: TestAccount;
  let api: Awaited<ReturnType<typeof startApi>>;
  let worker: Awaited<ReturnType<typeof startWorkerNode>>;
  before(async () => {
    config = temporaryConfig({ demo: false, databaseUrl: await postgres.database(), concurrency: 1 });
    api = await startApi(config);
    worker = await startWorkerNode(config, () => [engine]);
    db = await openStore(config);
    account = accountOn(api.url, await createAccount(db, { email: 'nodes@example.com', credits: 0 }));
  });
  after(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await db.close();
    rmSync(config.dataDir, { recursive: true });
  });

  test('a caller that hangs up at the API node stops the test in the worker', async () => {
    const id = await create(account);
    await until(async () => (await previewsOf(account)).length === 1);
    const { work, begun } = endlessWork();
    engine.before = work;
    const { hangUp } = openTest(account, id);
    const signal = await begun;
    hangUp();
    await until(async () => signal.aborted);
    assert.equal(signal.reason, 'cancelled');
    assert.equal(await countRenders(db), 0);
  });
});
