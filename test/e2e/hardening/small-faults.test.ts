import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCredential, readCredentials } from '@guise/server/accounts/keys.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { engineBroke } from '@guise/server/engines/engine.ts';
import { sweep } from '@guise/server/jobs/sweep.ts';
import { pino } from 'pino';
import {
  filesBelow,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres, type TestPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { testEngine } from '../../../packages/server/test/support/test-engine.ts';

const run = '/v2/run/self-prompt';
const day = 24 * 3600_000;
let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

for (const [name, place] of [
  ['SQLite', async () => ({ demo: false })],
  ['PostgreSQL', async () => ({ databaseUrl: await postgres.database(), demo: false })],
] as const)
  describe(`small faults, on ${name}`, () => {
    let server: TestServer;
    let account: TestAccount;
    before(async () => {
      server = await startTestServer(await place());
      account = await server.account();
    });
    after(() => server.stop());

    test('the progress of a job does not go back when it is tried again', async () => {
      const seen: number[] = [];
      const watch = (id: string, wanted: number) =>
        until(async () => {
          seen.push((await account.call('POST', `/v2/status/${id}`)).body.progress);
          return seen.at(-1)! >= wanted;
        });
      let attempt = 0;
      server.engine.before = async ({ jobId }, context) => {
        if (++attempt === 1) {
          context.progress(0.6);
          await watch(jobId, 0.6);
          throw engineBroke('The engine had a hiccup.');
        }
        context.progress(0.1);
        context.progress(0.7);
        await watch(jobId, 0.7);
      };
      const { id } = (await account.call('POST', run, { prompt: 'x' })).body;
      await until(async () => attempt === 2);
      await watch(id, 1);
      assert.equal(attempt, 2);
      assert.deepEqual(
        seen,
        seen.toSorted((one, other) => one - other),
      );
    });

    test('tokens of logins are deleted a day after they have expired; keys and other tokens stay', async () => {
      const { id } = account;
      const token = (expiresAt: number | null) =>
        createCredential(server.db, id, { kind: 'token', name: 'logged in', expiresAt });
      const old = await token(Date.now() - 2 * day);
      const valid = await token(Date.now() + day);
      const storage = await openStorage(server.config);
      await sweep({ ...storage, log: pino({ level: 'silent' }) }).finally(() => storage.close());
      const left = (await readCredentials(server.db, id)).map((credential) => credential.id);
      assert.ok(!left.includes(old.id));
      assert.ok(left.includes(valid.id));
      assert.equal(left.length, 3);
    });

    test('20 jobs that are deleted at once are all gone, with every file', async () => {
      server.engine.before = async () => {};
      const ids: string[] = [];
      for (let n = 0; n < 20; n++)
        ids.push((await account.call('POST', run, { prompt: 'x', image: photo })).body.id);
      const answers = await Promise.all(ids.map((id) => account.call('DELETE', `/v1/jobs/${id}`)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
      const left = () =>
        filesBelow(server.config.dataDir).filter((name) => ids.some((id) => name.includes(id)));
      await until(async () => left().length === 0);
    });
  });

test('deletions at once share one checkpoint of SQLite’s log, and a later one has its own', async (t) => {
  const config = temporaryConfig();
  const { db, close } = await openStorage(config);
  t.after(async () => {
    await close();
    rmSync(config.dataDir, { recursive: true });
  });
  const together = Array.from({ length: 20 }, () => db.scrub());
  assert.equal(new Set(together).size, 1);
  await Promise.all(together);
  const later = db.scrub();
  assert.notEqual(later, together[0]);
  await later;
});

test('in a folder that everybody may read, nobody else may read the database and the blobs', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-open-'));
  chmodSync(dataDir, 0o755);
  const umask = process.umask(0o022);
  t.after(() => {
    process.umask(umask);
    rmSync(dataDir, { recursive: true });
  });
  const app = await startApp(temporaryConfig({ dataDir }), () => [testEngine()]);
  t.after(() => app.stop());
  const files = readdirSync(dataDir).filter((name) => name.startsWith('guise.db'));
  assert.deepEqual(files.sort(), ['guise.db', 'guise.db-shm', 'guise.db-wal']);
  for (const name of files) assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, name);
});

test('a server that was told to stop says so on /ready while it still accepts connections', async (t) => {
  const config = temporaryConfig({ drainMs: 1500 });
  t.after(() => rmSync(config.dataDir, { recursive: true, force: true }));
  const app = await startApp(config, () => [testEngine()]);
  const ready = () => request(app.url, 'GET', '/ready', undefined, { connection: 'close' });
  assert.equal((await ready()).status, 200);
  const stopped = app.stop();
  assert.equal((await ready()).status, 503);
  const runs = await request(
    app.url,
    'POST',
    run,
    { prompt: 'x' },
    { 'x-api-key': app.demoKey!, connection: 'close' },
  );
  assert.equal(runs.status, 200);
  await stopped;
  await assert.rejects(ready());
});
