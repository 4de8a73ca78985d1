import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createAccount } from '../../src/accounts/accounts.ts';
import { startApp } from '../../src/app/all-in-one.ts';
import { openStorage, openStore } from '../../src/app/storage.ts';
import type { Config } from '../../src/config.ts';
import { cannotMake } from '../../src/engines/engine.ts';
import { installationIdentity } from '../../src/provenance/stored-identity.ts';
import { unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { countRows, movedTables } from '../../src/store/move-to-shared.ts';
import { caseOf } from '../support/contract-cases.ts';
import {
  type Answer,
  accountOn,
  photo,
  type TestAccount,
  temporaryConfig,
  until,
} from '../support/harness.ts';
import { startPostgres, type TestPostgres } from '../support/postgres-server.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { door, testEngine } from '../support/test-engine.ts';

const { run, status } = caseOf('self_prompt_v2');
const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** What a caller sees of an account, without what changes by itself. */
interface Seen {
  credits: Answer['body'];
  aliases: Answer['body'];
  filters: Answer['body'];
  done: Answer['body'];
  failed: Answer['body'];
}

describe('guise migrate-store', () => {
  const embedded = temporaryConfig({ demo: false, allowPrivateUrls: true });
  let postgres: TestPostgres;
  let s3: TestS3;
  let shared: Config;
  let secrets: { id: string; email: string; api_key: string; access_token: string };
  const ids: Record<'done' | 'failed' | 'waiting' | 'running', string> = {
    done: '',
    failed: '',
    waiting: '',
    running: '',
  };

  before(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    shared = temporaryConfig({ databaseUrl: await postgres.database(), s3: s3.place(), demo: false });
  });
  after(async () => {
    await Promise.all([postgres.stop(), s3.stop()]);
    for (const { dataDir } of [embedded, shared]) rmSync(dataDir, { recursive: true, force: true });
  });

  const submit = async (account: TestAccount, prompt: string): Promise<string> =>
    (
      await account.call(
        'POST',
        run,
        { prompt, image: photo },
        { 'idempotency-key': prompt.replaceAll(' ', '-') },
      )
    ).body.id;
  const see = async (account: TestAccount): Promise<Seen> => {
    const body = async (method: string, path: string) => (await account.call(method, path)).body;
    const filters = await body('GET', '/v1/users/me/my-custom-filters');
    return {
      credits: await body('GET', '/v1/users/me/credits'),
      aliases: await body('GET', '/api/alias/'),
      filters: filters.map(({ preview_images, ...filter }: { preview_images: string[] }) => ({
        ...filter,
        previews: preview_images.map((link) => new URL(link).pathname),
      })),
      done: await body('POST', `${status}${ids.done}`),
      failed: await body('POST', `${status}${ids.failed}`),
    };
  };
  const migrate = (...flags: string[]) => {
    const env = {
      ...process.env,
      GUISE_DATA_DIR: embedded.dataDir,
      GUISE_S3_ENDPOINT: s3.endpoint,
      GUISE_S3_PATH_STYLE: 'true',
      GUISE_S3_KEY_ID: shared.s3!.keyId,
      GUISE_S3_SECRET: shared.s3!.secret,
    };
    return promisify(execFile)(process.execPath, [main, 'migrate-store', ...flags], { env });
  };
  const toShared = () =>
    migrate('--to', shared.databaseUrl, '--blobs', `s3://${shared.s3!.bucket}/${shared.s3!.prefix}`);

  test('copies jobs, aliases with history, the ledger and blobs, and every caller sees what it saw', async () => {
    const engine = testEngine();
    let app = await startApp(embedded, () => [engine]);
    const db = await openStore(embedded);
    secrets = await createAccount(db, { email: 'moved@example.com', credits: 100 });
    const identity = await installationIdentity(db);
    await db.close();
    const before = accountOn(app.url, secrets);

    const filters: string[] = [];
    for (const definition of [
      { kind: 'prompt', prompt: 'in the snow' },
      { kind: 'template', image: photo },
    ]) {
      const made = await before.call('POST', '/v1/users/me/my-custom-filters', {
        name: definition.kind,
        filter_type: 'face_swap',
        definition,
      });
      filters.push(made.body.id);
    }
    const alias = await before.call('POST', '/api/alias/', { ai_filter: filters[0], project: 'booth' });
    await before.call('PATCH', `/api/alias/${alias.body.id}/`, { ai_filter: filters[1] });
    await until(async () =>
      (await see(before)).filters.every((f: { previews: [] }) => f.previews.length > 0),
    );

    const webhookSecret = (await before.call('POST', '/v1/webhook_secret/roll')).body;
    const notified = await before.call('POST', run, {
      prompt: 'hook',
      webhook_url: 'http://127.0.0.1:9999/',
    });
    const hook = `/v1/webhook_deliveries/${notified.body.id}`;
    await until(async () => (await before.call('GET', hook)).body.attempts === 1);
    await until(async () => (await before.call('GET', '/v1/webhook_endpoints')).body.webhook_endpoints[0]);

    ids.done = await submit(before, 'done');
    await before.call('POST', `${status}${ids.done}`, undefined, { prefer: 'wait=30' });
    engine.before = async () => {
      throw cannotMake('No face was found in the photo.');
    };
    ids.failed = await submit(before, 'failed');
    await before.call('POST', `${status}${ids.failed}`, undefined, { prefer: 'wait=30' });
    const gate = door();
    engine.before = gate.work;
    for (const name of ['running', 'waiting'] as const) ids[name] = await submit(before, name);
    for (const n of [1, 2, 3]) await submit(before, `more ${n}`);
    await gate.reached;
    const seen = await see(before);
    assert.equal(seen.aliases[0].history.length, 1);
    await assert.rejects(toShared(), /Another Guise server is using/);
    await app.stop();

    const { stdout, stderr } = await toShared();
    assert.match(stdout, /copied and adds up/);
    for (const part of [...movedTables, 'blobs: results']) assert.match(stderr, new RegExp(part));

    app = await startApp(shared, () => [testEngine()]);
    try {
      const now = accountOn(app.url, secrets);
      const { next_cursor: _, ...credits } = seen.credits;
      const after = await see(now);
      assert.deepEqual({ ...after, credits: after.credits.entries }, { ...seen, credits: credits.entries });
      const { secret: _secret, ...shown } = webhookSecret;
      assert.deepEqual((await now.call('GET', '/v1/webhook_secret')).body, shown);
      assert.equal((await now.call('GET', hook)).status, 200);
      const { webhook_endpoints } = (await now.call('GET', '/v1/webhook_endpoints')).body;
      assert.equal(webhook_endpoints[0].url, 'http://127.0.0.1:9999/');
      assert.equal(await submit(now, 'done'), ids.done);
      for (const id of [ids.running, ids.waiting]) {
        const answer = await now.call('POST', `${status}${id}`, undefined, { prefer: 'wait=30' });
        assert.equal(answer.body.status, 'COMPLETED');
      }
      await submit(now, 'new');
      const template = await now.call('POST', `/v1/users/me/my-custom-filters/${filters[1]}/test`);
      assert.equal(template.status, 200);
      const [preview] = (await now.call('GET', '/v1/users/me/my-custom-filters')).body[0].preview_images;
      assert.equal((await fetch(preview)).status, 200);
      const records = await openStore(shared);
      assert.deepEqual(await records.all(unbalancedAccounts, {}), []);
      assert.deepEqual(await installationIdentity(records), identity);
      await records.close();
    } finally {
      await app.stop();
    }
  });

  test('refuses a target that is not empty, and leaves it as it is', async () => {
    const { db, close } = await openStorage(shared);
    const counts = async () =>
      Promise.all(movedTables.map(async (table) => (await db.one(countRows[table], {}))!.count));
    const before = await counts();
    await assert.rejects(toShared(), /already has \d+ rows in accounts/);
    assert.deepEqual(await counts(), before);
    await close();
  });

  test('refuses a folder without an installation', async () => {
    const { dataDir } = temporaryConfig();
    const env = { ...process.env, GUISE_DATA_DIR: dataDir };
    const words = [main, 'migrate-store', '--to', shared.databaseUrl];
    await assert.rejects(
      promisify(execFile)(process.execPath, words, { env }),
      /There is no embedded installation/,
    );
    rmSync(dataDir, { recursive: true });
  });
});
