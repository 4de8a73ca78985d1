import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { createBackupSchedule } from '../../src/app/backup-schedule.ts';
import { openBlobs, openStore } from '../../src/app/storage.ts';
import { pruneBackups, receivePart } from '../../src/backups/backup-folder.ts';
import { skippedSentence } from '../../src/backups/data-files.ts';
import { writeBackup } from '../../src/backups/write-backup.ts';
import { readTar } from '../../src/read-tar.ts';
import type { Blobs } from '../../src/store/blobs.ts';
import { accountOn, startTestServer, temporaryConfig, until } from '../support/harness.ts';

const hourMs = 3600_000;
const nameOf = (day: number) => `guise-2026-01-0${day}T00-00-00.tar`;

describe('a backup while the installation is at work', () => {
  const config = temporaryConfig({ demo: false });
  const own = mkdtempSync(join(tmpdir(), 'guise-at-work-'));
  const models = join(config.dataDir, 'models');
  let blobs: Blobs;
  let backups = 0;
  before(async () => {
    await (await openStore(config)).close();
    blobs = await openBlobs(config);
  });
  beforeEach(() => {
    rmSync(models, { recursive: true, force: true });
    mkdirSync(models);
    writeFileSync(join(models, 'finished.onnx'), 'weights');
  });
  after(() => {
    for (const path of [own, config.dataDir]) rmSync(path, { recursive: true, force: true });
  });

  /** `meanwhile` happens when the files of the folder are found and the first of them is opened. */
  async function namesIn(meanwhile = () => {}) {
    const target = join(own, `${++backups}.tar`);
    // The blobs come before the files.
    const slow: Blobs = {
      ...blobs,
      async *list() {
        yield { key: 'results/aa/none.png', modified: 0 };
      },
      async open() {
        setImmediate(meanwhile);
        return undefined;
      },
    };
    const written = await writeBackup({ dataDir: config.dataDir, blobs: slow, version: '1' }, target);
    const names: string[] = [];
    for await (const { name } of readTar(target, 'plain')) names.push(name);
    return { ...written, names: names.filter((name) => name.startsWith('files/models/')) };
  }

  test('leaves out what is being downloaded or unpacked', async () => {
    const unpacked = join(models, 'import-0d4c1c1e-0000-4000-8000-000000000000');
    for (const folder of [join(models, 'faces.part'), unpacked]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'weights.onnx'), 'a part');
    }
    writeFileSync(join(models, 'notes.json.new'), '{');
    const { names, skipped } = await namesIn();
    assert.deepEqual([names, skipped], [['files/models/finished.onnx'], []]);
  });

  test('has as much of a file that grows as there was', async () => {
    const growing = join(models, 'a-log.txt');
    writeFileSync(growing, 'x'.repeat(3_000_000));
    let left = 500;
    const grow = () => {
      appendFileSync(growing, 'y'.repeat(1000));
      if (left-- > 0) setImmediate(grow);
    };
    const { names } = await namesIn(grow);
    assert.deepEqual(names.toSorted(), ['files/models/a-log.txt', 'files/models/finished.onnx']);
  });

  test('does without a file that goes', async () => {
    for (let i = 0; i < 200; i++) writeFileSync(join(models, `b-${i}.txt`), 'x'.repeat(2000));
    const { names } = await namesIn(() => {
      for (let i = 100; i < 200; i++) rmSync(join(models, `b-${i}.txt`), { force: true });
    });
    assert.ok(names.length >= 101 && names.includes('files/models/finished.onnx'), String(names.length));
    assert.ok(!readdirSync(own).some((name) => /\.(?:part|db)$/.test(name)));
  });

  test('names what it cannot hold', async () => {
    writeFileSync(join(models, 'Gesicht ä.onnx'), 'weights');
    writeFileSync(join(models, '.DS_Store'), '');
    symlinkSync(own, join(models, 'elsewhere'));
    const { names, skipped } = await namesIn();
    assert.deepEqual(names, ['files/models/finished.onnx']);
    assert.deepEqual(skipped.toSorted(), ['models/Gesicht ä.onnx', 'models/elsewhere']);
    const many = Array.from({ length: 7 }, (_, i) => `link ${i}`);
    assert.match(skippedSentence(many), /: link 0, link 1, link 2, link 3, link 4 \+ 2\.$/);
  });

  test('keeps what it is written to while somebody uploads another', async () => {
    const folder = join(own, 'backups');
    mkdirSync(folder);
    const written = [`${nameOf(1)}.part`, `${nameOf(1)}.0d4c1c1e-0000-4000-8000-000000000000.db`];
    for (const name of written) writeFileSync(join(folder, name), '');
    await receivePart(folder, nameOf(2), { offset: 0, bytes: 9, content: Buffer.alloc(0) });
    assert.deepEqual(readdirSync(folder).toSorted(), written.toSorted());
  });
});

describe('backups that make themselves', () => {
  const madeAt = (time: number) => ({ name: 'x', bytes: 1, made_at: new Date(time).toISOString() });
  const now = Date.parse('2026-05-01T12:00:00Z');

  test('wait after one that failed, a minute first and then longer, and an hour at most', () => {
    const schedule = createBackupSchedule(24 * hourMs);
    const waits: number[] = [];
    for (let clock = 0, failedAt = 0; clock < 6 * hourMs; clock += 60_000) {
      if (!schedule.isDue([], now, clock)) continue;
      waits.push((clock - failedAt) / 60_000);
      failedAt = clock;
      schedule.tried(true, clock);
    }
    assert.deepEqual(waits, [0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    schedule.tried(false, 0);
    assert.ok(schedule.isDue([madeAt(now - 24 * hourMs)], now, 0));
    assert.ok(!schedule.isDue([madeAt(now - 23 * hourMs)], now, 0));
  });

  test('do not wait for a time to come that a backup has', () => {
    const schedule = createBackupSchedule(hourMs);
    assert.ok(schedule.isDue([madeAt(now + 365 * 24 * hourMs)], now, 0));
    assert.ok(!schedule.isDue([madeAt(now + hourMs), madeAt(now - 60_000)], now, 0));
  });

  test('never remove the one that was just made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guise-prune-'));
    for (const day of [1, 2, 3, 4]) writeFileSync(join(folder, nameOf(day)), '');
    await pruneBackups(folder, 2, nameOf(1));
    assert.deepEqual(readdirSync(folder).toSorted(), [nameOf(1), nameOf(3), nameOf(4)]);
    rmSync(folder, { recursive: true });
  });

  test('say that there is no room, fill no disk, and remove those that are too many', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'guise-full-'));
    const folder = join(dataDir, 'backups');
    mkdirSync(folder);
    for (const day of [1, 2]) writeFileSync(join(folder, nameOf(day)), '');
    // A hole takes no room.
    truncateSync(join(folder, nameOf(2)), 8e12);
    const server = await startTestServer({
      databaseUrl: '',
      s3: null,
      dataDir,
      backups: { folder: '', everyMs: hourMs, kept: 1 },
    });
    const made = await createAccount(server.db, { email: 'op@example.com', credits: 0, role: 'operator' });
    const key = { kind: 'key', name: 'ops', scopes: ['operator'] } as const;
    const { secret } = await createCredential(server.db, made.id, key);
    const operator = accountOn(server.url, { ...made, api_key: secret });
    const { last_error } = await until(async () => {
      const { body } = await operator.call('GET', '/v1/backups');
      return body.last_error ? body : undefined;
    });
    assert.match(
      last_error,
      /^There is no room for a backup in .*: the newest one has 8000\.0 GB, and .* GB are free\.$/,
    );
    assert.deepEqual(readdirSync(folder), [nameOf(2)]);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
