import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packTar } from 'modern-tar';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { startApp } from '../../src/app/all-in-one.ts';
import type { App } from '../../src/app/api-node.ts';
import { startRestartableApp } from '../../src/app/restarts/restartable-app.ts';
import { openBlobs, openStore } from '../../src/app/storage.ts';
import { restoreBackup } from '../../src/backups/restore-backup.ts';
import { writeBackup } from '../../src/backups/write-backup.ts';
import { readConfig } from '../../src/config.ts';
import { findAccount } from '../../src/store/account-records.ts';
import { unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { readStoredSettings } from '../../src/stored-settings.ts';
import { caseOf } from '../support/contract-cases.ts';
import {
  type Answer,
  accountOn,
  errorIn,
  filesBelow,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../support/harness.ts';
import { door, testEngine } from '../support/test-engine.ts';

const { run, status } = caseOf('self_prompt_v2');
const main = join(import.meta.dirname, '../../src/cli/main.ts');

describe('guise backup and guise restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-backups-'));
  const config = temporaryConfig({ demo: false });
  const archive = join(folder, 'evening.tar');
  const guise = (dataDir: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [main, ...words], {
      env: { ...process.env, GUISE_DATA_DIR: dataDir },
    });
  let owner: { id: string; email: string; api_key: string; access_token: string };
  let finished: { id: string; picture: string };
  let waiting: string;

  before(async () => {
    const { work, reached, open } = door();
    const engine = testEngine();
    const app = await startApp(config, () => [engine]);
    const db = await openStore(config);
    owner = await createAccount(db, { email: 'owner@example.com', credits: 100 });
    await db.close();
    const account = accountOn(app.url, owner);
    const submit = async (prompt: string) =>
      (await account.call('POST', run, { prompt, image: photo })).body.id;
    const id = await submit('a lake');
    const done = await account.call('POST', status + id, undefined, { prefer: 'wait=30' });
    finished = { id, picture: done.body.output.image };
    mkdirSync(join(config.dataDir, 'packs', 'beach'), { recursive: true });
    writeFileSync(join(config.dataDir, 'packs', 'beach', 'pack.json'), '{"a": 1}');
    mkdirSync(join(config.dataDir, 'engine-trials', 'gpu'), { recursive: true });
    writeFileSync(join(config.dataDir, 'engine-trials', 'gpu', 'trials.json'), '{}');
    // The server works while the backup is made.
    engine.before = work;
    waiting = await submit('a forest');
    await reached;
    const { stdout } = await guise(config.dataDir, 'backup', archive, '--json');
    assert.deepEqual(JSON.parse(stdout).file, archive);
    open();
    await app.stop();
  });
  after(() => {
    for (const path of [folder, config.dataDir]) rmSync(path, { recursive: true, force: true });
  });

  test('writes one archive that only its owner can read, and nothing beside it', () => {
    assert.deepEqual(readdirSync(folder), ['evening.tar']);
    assert.equal(statSync(archive).mode & 0o777, 0o600);
  });

  test('brings accounts, keys, credits, pictures and packs into an empty folder; what ran is run again', async () => {
    const dataDir = join(folder, 'restored');
    const { stdout } = await guise(dataDir, 'restore', archive);
    assert.match(stdout, /restored is as it was on .*, with \d+ photos and pictures\. Start the server\./);
    const app = await startApp({ ...config, dataDir }, () => [testEngine()]);
    try {
      const account = accountOn(app.url, owner);
      const { body } = await account.call('POST', status + finished.id);
      assert.equal(body.output.image, finished.picture);
      const { body: later } = await account.call('POST', status + waiting, undefined, { prefer: 'wait=30' });
      assert.equal(later.status, 'COMPLETED');
      assert.equal(readFileSync(join(dataDir, 'packs', 'beach', 'pack.json'), 'utf8'), '{"a": 1}');
      assert.ok(
        !existsSync(join(dataDir, 'engine-trials')),
        'trials are made anew while a backup is written',
      );
      const db = await openStore({ ...config, dataDir });
      assert.deepEqual(await db.all(unbalancedAccounts, {}), []);
      await db.close();
    } finally {
      await app.stop();
    }
    assert.ok(!readdirSync(dataDir).some((name) => name.startsWith('restore-')));
  });

  test('refuses a folder that has an installation, and sets that one aside with --replace', async () => {
    const other = temporaryConfig({ demo: false });
    const db = await openStore(other);
    const account = await createAccount(db, { email: 'other@example.com', credits: 7 });
    await db.close();
    await assert.rejects(guise(other.dataDir, 'restore', archive), /has an installation already/);
    const { stdout } = await guise(other.dataDir, 'restore', archive, '--replace', '--json');
    const { replaced } = JSON.parse(stdout);
    assert.ok(replaced.startsWith(join(other.dataDir, 'replaced-')));
    const [now, then] = [await openStore(other), await openStore({ ...other, dataDir: replaced })];
    assert.ok(await now.one(findAccount, { id: owner.id }));
    assert.ok(!(await now.one(findAccount, { id: account.id })));
    assert.ok(await then.one(findAccount, { id: account.id }));
    await Promise.all([now.close(), then.close()]);
    rmSync(other.dataDir, { recursive: true, force: true });
  });

  test('refuses a folder whose server runs', async () => {
    const dataDir = mkdtempSync(join(folder, 'running-'));
    const app = await startApp({ ...config, dataDir }, () => [testEngine()]);
    await assert.rejects(guise(dataDir, 'restore', archive, '--replace'), /Another Guise server is using/);
    await app.stop();
  });

  test('never writes over a file', async () => {
    await assert.rejects(guise(config.dataDir, 'backup', archive), /evening\.tar exists already/);
  });

  test('a backup in the data folder does not hold itself or earlier ones', async () => {
    const backups = join(config.dataDir, 'backups');
    mkdirSync(backups);
    const backedUp = { dataDir: config.dataDir, blobs: await openBlobs(config), version: '1' };
    const sizes: number[] = [];
    for (const name of ['one.tar', 'two.tar'])
      sizes.push((await writeBackup(backedUp, join(backups, name))).bytes);
    assert.equal(sizes[1], sizes[0]);
  });

  describe('an archive that is not whole or not one of ours', () => {
    const bytes = () => readFileSync(archive);
    const cases: Record<string, { make(): Promise<Buffer | Uint8Array>; sentence: RegExp }> = {
      'cut off': {
        make: async () => {
          const path = join(folder, 'cut.tar');
          writeFileSync(path, bytes());
          truncateSync(path, Math.floor(statSync(path).size / 2));
          return readFileSync(path);
        },
        sentence: /is no whole tar archive|its end is missing/,
      },
      'with a byte changed': {
        make: async () => {
          const changed = bytes();
          const at = changed.indexOf('SQLite format 3') + 5000;
          changed[at] = changed[at]! ^ 0xff;
          return changed;
        },
        sentence: /guise\.db is missing or is not what was backed up/,
      },
      'that is text': {
        make: async () => Buffer.from('hello'),
        sentence: /no whole tar archive|end is missing/,
      },
      'with a way out of the folder': {
        make: async () =>
          packTar([{ header: { name: 'files/../../escaped.txt', size: 1, type: 'file' }, body: 'x' }]),
        sentence: /which no backup does/,
      },
      'with a link': {
        make: async () =>
          packTar([{ header: { name: 'files/packs', size: 0, type: 'symlink', linkname: '/etc' } }]),
        sentence: /which no backup does/,
      },
    };
    for (const [kind, { make, sentence }] of Object.entries(cases)) {
      test(`one ${kind} is refused, and the folder stays as it was`, async () => {
        const path = join(folder, `${kind.replaceAll(' ', '-')}.tar`);
        writeFileSync(path, await make());
        const dataDir = mkdtempSync(join(folder, 'kept-'));
        const before = temporaryConfig({ dataDir });
        await (await openStore(before)).close();
        const there = readFileSync(join(dataDir, 'guise.db'));
        const restored = restoreBackup(dataDir, () => openBlobs(before), path, { replace: true });
        await assert.rejects(restored, sentence);
        assert.deepEqual(readFileSync(join(dataDir, 'guise.db')), there);
        assert.deepEqual(
          filesBelow(dataDir).filter((file) => /restore-|escaped/.test(file)),
          [],
        );
        assert.ok(!existsSync(join(folder, '..', 'escaped.txt')));
      });
    }
  });

  test('a backup of a newer version is refused', async () => {
    const dataDir = mkdtempSync(join(folder, 'newer-'));
    const newer = temporaryConfig({ dataDir });
    await (await openStore(newer)).close();
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(join(dataDir, 'guise.db'));
    database.exec("insert into kysely_migration values ('999-later', '2030-01-01T00:00:00.000Z')");
    database.close();
    const path = join(folder, 'newer.tar');
    await writeBackup({ dataDir, blobs: await openBlobs(newer), version: '99' }, path);
    const target = join(folder, 'older');
    const restored = restoreBackup(target, async () => openBlobs(newer), path, { replace: false });
    await assert.rejects(restored, /made by a newer version of Guise/);
    assert.deepEqual(readdirSync(target), ['server.lock']);
  });
});

describe('backups of a server', () => {
  let server: TestServer;
  let operator: TestAccount;
  before(async () => {
    server = await startTestServer({ databaseUrl: '', s3: null });
    const made = await createAccount(server.db, { email: 'op@example.com', credits: 0, role: 'operator' });
    const key = { kind: 'key', name: 'ops', scopes: ['operator'] } as const;
    const { secret } = await createCredential(server.db, made.id, key);
    operator = accountOn(server.url, { ...made, api_key: secret });
  });
  after(() => server.stop());

  const list = async () => (await operator.call('GET', '/v1/backups')).body;
  const made = () =>
    until(async () => {
      const { backups, running } = await list();
      return running === null && backups.length > 0 && backups;
    });

  test('are made when asked, listed with their size, sent as archives and deleted', async () => {
    const started = await operator.call('POST', '/v1/backups');
    assert.equal(started.status, 202);
    assert.ok(started.body.running);
    const [backup] = await made();
    assert.match(backup.name, /^guise-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.tar$/);
    const sent = await fetch(`${server.url}/v1/backups/${backup.name}`, {
      headers: { 'x-api-key': operator.api_key },
    });
    assert.equal((await sent.arrayBuffer()).byteLength, backup.bytes);
    assert.equal(sent.headers.get('cache-control'), 'no-store');
    assert.equal((await operator.call('DELETE', `/v1/backups/${backup.name}`)).status, 204);
    assert.deepEqual((await list()).backups, []);
  });

  test('are for operators; names are those of the list', async () => {
    const stranger = await server.account();
    for (const method of ['GET', 'POST']) {
      assert.equal(errorIn((await stranger.call(method, '/v1/backups')).body).code, 'SCOPE_MISSING');
    }
    for (const name of ['guise.db', '..%2fguise.db', 'guise-2026-01-01T00-00-00.tar']) {
      const { status, body } = await operator.call('GET', `/v1/backups/${name}`);
      assert.deepEqual([status, errorIn(body).code], [404, 'BACKUP_NOT_FOUND']);
    }
  });
});

test('a server makes backups at intervals, keeps the newest, and removes what was cut off', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-scheduled-'));
  const folder = join(dataDir, 'elsewhere');
  mkdirSync(folder);
  const old = ['guise-2020-01-01T00-00-00.tar', 'guise-2020-01-02T00-00-00.tar'];
  for (const name of [...old, 'guise-2020-01-03T00-00-00.tar.part', 'notes.txt'])
    writeFileSync(join(folder, name), '');
  const backups = { folder, everyMs: 3600_000, kept: 2 };
  const server = await startTestServer({ databaseUrl: '', s3: null, dataDir, backups });
  await until(async () => readdirSync(folder).length === 3 && !readdirSync(folder).includes(old[0]!));
  const [kept, made, notes] = readdirSync(folder).toSorted();
  assert.deepEqual([kept, notes], [old[1], 'notes.txt']);
  assert.ok(statSync(join(folder, made!)).size > 0);
  await server.stop();
});

test('a server goes back to a backup when an operator asks, and back to work when that is refused', async () => {
  const config = temporaryConfig({ demo: false });
  const restarted: App[] = [];
  const { app, stop } = await startRestartableApp(
    async () => ({ config, makeEngines: () => [testEngine()] }),
    (one) => restarted.push(one),
  );
  const db = await openStore(config);
  const made = await createAccount(db, { email: 'op@example.com', credits: 5, role: 'operator' });
  const { secret } = await createCredential(db, made.id, { kind: 'key', name: 'ops', scopes: ['operator'] });
  await db.close();
  const operator = () => accountOn((restarted.at(-1) ?? app).url, { ...made, api_key: secret });
  const backups = async () => (await operator().call('GET', '/v1/backups')).body;
  await operator().call('POST', '/v1/backups');
  const [backup] = await until(async () => {
    const list = await backups();
    return list.backups.length > 0 && list.running === null && list.backups;
  });
  await operator().call('POST', `/v1/accounts/${made.id}/credits`, { amount: 95 });
  assert.equal((await backups()).can_restore, true);

  const restore = await operator().call('POST', `/v1/backups/${backup.name}/restore`);
  assert.equal(restore.status, 202);
  assert.equal(restore.headers.get('cache-control'), 'no-store');
  await until(async () => restarted.length === 1);
  const { sign_in_token: link } = restore.body;
  const signIn = () => request(restarted.at(-1)!.url, 'POST', '/v1/sessions', { link });
  assert.equal((await signIn()).status, 201);
  assert.equal(errorIn((await signIn()).body).code, 'SIGN_IN_LINK_USED');
  const balances = async () => (await operator().call('GET', '/v1/accounts')).body.accounts[0].balance;
  assert.equal(await balances(), 5);
  assert.ok((await backups()).restored);
  assert.ok(readdirSync(config.dataDir).some((name) => name.startsWith('replaced-')));

  const damaged = 'guise-2020-01-01T00-00-00.tar';
  writeFileSync(join(config.dataDir, 'backups', damaged), 'no archive');
  await operator().call('POST', `/v1/backups/${damaged}/restore`);
  await until(async () => restarted.length === 2);
  assert.equal(await balances(), 5);
  assert.match((await backups()).last_error, /cannot be restored/);
  await stop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

test('a backup is uploaded in parts to a fresh installation, whose first screen leads to its pictures', async () => {
  const server = await startTestServer({ databaseUrl: '', s3: null });
  const archive = join(server.config.dataDir, 'evening.tar');
  await (await server.account()).call('GET', '/v1/users/me');
  await writeBackup(
    { dataDir: server.config.dataDir, blobs: await openBlobs(server.config), version: '1' },
    archive,
  );
  const bytes = readFileSync(archive);
  const made = await createAccount(server.db, { email: 'fresh@example.com', credits: 0, role: 'operator' });
  const { secret } = await createCredential(server.db, made.id, {
    kind: 'key',
    name: 'ops',
    scopes: ['operator'],
  });
  const name = 'guise-2026-05-01T18-00-00.tar';
  const send = async (offset: number, body: Uint8Array, of = name, total = bytes.length) => {
    const path = `/v1/backups/${of}?offset=${offset}&bytes=${total}`;
    const response = await fetch(server.url + path, {
      method: 'PUT',
      headers: { 'x-api-key': secret },
      body: body as Uint8Array<ArrayBuffer>,
    });
    // biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the tests look into.
    return { status: response.status, body: (await response.json()) as any };
  };
  const half = Math.floor(bytes.length / 2);
  for (const [of, content] of [
    ['guise.db', bytes.subarray(0, half)],
    ['..%2fguise-2026-05-01T18-00-00.tar', bytes.subarray(0, half)],
    [name, Buffer.alloc(2000, 'no archive')],
  ] as const)
    assert.equal((await send(0, content, of)).body.error_code, 'VALIDATION_ERROR', of);
  assert.deepEqual((await send(0, bytes.subarray(0, half))).body, { received: half, complete: false });
  assert.deepEqual((await send(0, Buffer.alloc(0))).body, { received: half, complete: false });
  // A part that was sent twice, or too far on, is answered with where to go on.
  for (const offset of [half - 1, half + 1])
    assert.deepEqual((await send(offset, bytes.subarray(offset))).body, { received: half, complete: false });
  assert.deepEqual((await send(half, bytes.subarray(half))).body, { received: bytes.length, complete: true });
  assert.deepEqual(readFileSync(join(server.config.dataDir, 'backups', name)), bytes);
  assert.deepEqual((await send(0, bytes)).body, { received: bytes.length, complete: true });
  assert.deepEqual((await send(0, bytes, name, bytes.length + 1)).body.error_code, 'BACKUP_EXISTS');
  const [listed] = (await request(server.url, 'GET', '/v1/backups', undefined, { 'x-api-key': secret })).body
    .backups;
  assert.deepEqual(listed, { name, bytes: bytes.length, made_at: '2026-05-01T18:00:00.000Z' });
  await server.stop();
});

test('settings are changed, hold after a restart, and are put back where the server does not start with them', async () => {
  const env = {
    PORT: '0',
    GUISE_LOG_LEVEL: 'silent',
    GUISE_DEMO: 'false',
    GUISE_C2PA: 'false',
    GUISE_DATA_DIR: mkdtempSync(join(tmpdir(), 'guise-settings-')),
  };
  const restarted: App[] = [];
  const { app, stop } = await startRestartableApp(
    async (stored = readStoredSettings(env)) => ({
      config: readConfig(env, stored),
      makeEngines: () => [testEngine()],
    }),
    (one) => restarted.push(one),
  );
  const db = await openStore(readConfig(env));
  const made = await createAccount(db, { email: 'op@example.com', credits: 5, role: 'operator' });
  const { secret } = await createCredential(db, made.id, { kind: 'key', name: 'ops', scopes: ['operator'] });
  await db.close();
  const operator = () => accountOn((restarted.at(-1) ?? app).url, { ...made, api_key: secret });
  const change = (settings: Record<string, string | null>) =>
    operator().call('PATCH', '/v1/settings', { settings });
  const settingOf = (body: Answer['body'], name: string) =>
    body.settings.find((one: { name: string }) => one.name === name);
  const restart = async () => {
    const before = restarted.length;
    assert.equal((await operator().call('POST', '/v1/restart')).status, 202);
    await until(async () => restarted.length > before);
    return (await operator().call('GET', '/v1/settings')).body;
  };

  for (const [settings, path] of [
    [{ GUISE_NOTHING: '1' }, 'settings.GUISE_NOTHING'],
    [{ GUISE_DATA_DIR: '/elsewhere' }, 'settings.GUISE_DATA_DIR'],
    [{ GUISE_LOG_LEVEL: 'info' }, 'settings.GUISE_LOG_LEVEL'],
    [{ GUISE_BACKUP_KEEP: '0' }, 'settings.GUISE_BACKUP_KEEP', /^must be 1 or more$/],
    [{ GUISE_RESULT_DAYS: '0' }, 'settings.GUISE_RESULT_DAYS', /^must be more than 0$/],
  ] as const) {
    const { status, body } = await change(settings);
    assert.deepEqual([status, body.fields?.[0].path], [422, path]);
    assert.doesNotMatch(body.fields[0].message, /expected|Invalid/, 'zod’s own words');
  }
  const together = await change({ GUISE_SMTP_URL: 'smtp://mail.example.com' });
  assert.equal(together.status, 422);
  assert.match(errorIn(together.body).sentence, /GUISE_MAIL_FROM/);
  assert.equal((await change({ GUISE_PRICES: '{"no_such_family": 1}' })).status, 422);

  const password = 'smtp://user:hidden@mail.example.com';
  const changed = await change({
    GUISE_BACKUP_KEEP: '3',
    GUISE_SMTP_URL: password,
    GUISE_MAIL_FROM: 'booth@example.com',
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const waiting = settingOf(changed.body, 'GUISE_BACKUP_KEEP');
  assert.deepEqual([waiting.value, waiting.stored, waiting.pending], ['7', '3', true]);
  const held = await restart();
  const now = settingOf(held, 'GUISE_BACKUP_KEEP');
  assert.deepEqual([now.value, now.source, now.pending], ['3', 'stored', false]);
  assert.ok(!JSON.stringify([changed.body, held]).includes('hidden'));
  assert.equal((await operator().call('GET', '/v1/backups')).body.kept, 3);

  // No machine has this address.
  assert.equal((await change({ HOST: '203.0.113.9', GUISE_BACKUP_KEEP: null })).status, 200);
  const putBack = await restart();
  assert.match(putBack.last_error, /203\.0\.113\.9/);
  assert.deepEqual(
    [settingOf(putBack, 'HOST').value, settingOf(putBack, 'GUISE_BACKUP_KEEP').value],
    ['127.0.0.1', '3'],
  );
  assert.equal((await change({ GUISE_BACKUP_KEEP: null })).status, 200);
  assert.equal(settingOf(await restart(), 'GUISE_BACKUP_KEEP').value, '7');
  await stop();
  rmSync(env.GUISE_DATA_DIR, { recursive: true, force: true });
});

test('a restore that fails on the way brings back what was there', async () => {
  const config = temporaryConfig({ demo: false });
  const db = await openStore(config);
  const { id } = await createAccount(db, { email: 'here@example.com', credits: 5 });
  await db.close();
  const blobs = await openBlobs(config);
  await blobs.put('results/aa/picture.png', Buffer.from('picture'));
  const archive = join(config.dataDir, 'guise.tar');
  await writeBackup({ dataDir: config.dataDir, blobs, version: '1' }, archive);
  const full = { ...blobs, put: async () => Promise.reject(new Error('no space left')) };
  const restored = restoreBackup(config.dataDir, async () => full, archive, { replace: true });
  await assert.rejects(restored, /no space left/);
  const after = await openStore(config);
  assert.ok(await after.one(findAccount, { id }));
  await after.close();
  assert.equal((await blobs.read('results/aa/picture.png'))?.toString(), 'picture');
  assert.deepEqual(
    readdirSync(config.dataDir).filter((name) => /^(?:restore|replaced)-/.test(name)),
    [],
  );
  rmSync(config.dataDir, { recursive: true, force: true });
});
