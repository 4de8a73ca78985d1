import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { nextQueuedJob } from '../../src/store/claims.ts';
import { sqliteNow, watchClock } from '../../src/store/database-clock.ts';
import { builder as sqliteBuilder } from '../../src/store/embedded/sqlite.ts';
import { migrateSqlite } from '../../src/store/migrate.ts';
import { formerWebhooks, migratedDelivery } from './former-webhooks.ts';

test('an embedded installation loads neither the PostgreSQL client nor the S3 SDK', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-embedded-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = `
    import { createRequire } from 'node:module';
    import { startApp } from '@guise/server/app/all-in-one.ts';
    import { readConfig } from '@guise/server/config.ts';
    import { testEngine } from './packages/server/test/support/test-engine.ts';
    const app = await startApp(readConfig(process.env), () => [testEngine()]);
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));
    await app.stop();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../../..', import.meta.url),
    env: { ...process.env, PORT: '0', GUISE_DATA_DIR: folder, GUISE_LOG_LEVEL: 'silent' },
  });
  assert.match(stdout, /node_modules\/better-sqlite3\//);
  assert.deepEqual(stdout.match(/node_modules\/(pg|pg-boss|@aws-sdk|@smithy)\/.*/g), null);
});

test('a clock that was set is known from the time at which it was seen, forward and back', () => {
  const clocks = { time: 1e12, elapsed: 5000 };
  const pass = (ms: number, setBy = 0) => {
    clocks.elapsed += ms;
    clocks.time += ms + setBy;
  };
  const watch = watchClock({ now: () => clocks.time, elapsed: () => clocks.elapsed });
  assert.equal(watch.undisturbedMs(), Number.POSITIVE_INFINITY);
  for (let step = 0; step < 3; step++) {
    pass(3600_000, 40_000);
    assert.equal(watch.undisturbedMs(), Number.POSITIVE_INFINITY);
  }
  pass(1000, 7200_000);
  assert.equal(watch.undisturbedMs(), 0);
  pass(60_000);
  assert.equal(watch.undisturbedMs(), 60_000);
  pass(1000, -7200_000);
  assert.equal(watch.undisturbedMs(), 0);
});

test('SQLite finds the next job and the round that is served by an index, without sorting', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-embedded-'));
  const file = join(folder, 'guise.db');
  await migrateSqlite(file);
  const records = new Database(file);
  records.function(sqliteNow, { deterministic: true }, () => 1);
  t.after(() => {
    records.close();
    rmSync(folder, { recursive: true });
  });
  const claimable = [{ family: 'face_swap_v6', kinds: ['scene', 'look'] }, { family: 'self_prompt_v2' }];
  const wanted = { claimable, perAccount: 0 };
  const next = nextQueuedJob(sqliteBuilder, wanted).select('id').compile();
  const plan = (sql: string, params: readonly unknown[] = []) =>
    records
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...params)
      .map((row) => row.detail)
      .join('; ');
  assert.match(plan(next.sql, next.parameters), /^SEARCH jobs USING INDEX jobs_by_turn \(state=\?\)$/);
  const first = "select min(turn) from jobs where state = 'queued'";
  assert.match(plan(first), /^SEARCH jobs USING COVERING INDEX jobs_by_turn/);
  const own = "select max(turn) from jobs where state = 'queued' and claim = 0 and account_id = 'x'";
  assert.match(plan(own), /^SEARCH jobs USING INDEX jobs_waiting_by_account/);
});

test('migrations of SQLite that fail leave nothing half done', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-embedded-'));
  const file = join(folder, 'guise.db');
  const records = new Database(file);
  t.after(() => {
    records.close();
    rmSync(folder, { recursive: true });
  });
  records.exec('create table event_stations (id text)');
  await assert.rejects(migrateSqlite(file), /event_stations.* already exists/);
  assert.equal(records.prepare("select name from sqlite_master where name = 'jobs'").get(), undefined);
  records.exec('drop table event_stations');
  await migrateSqlite(file);
  assert.notEqual(records.prepare("select name from sqlite_master where name = 'jobs'").get(), undefined);
});

test('what SQLite has already keeps everything: deliveries get the ids of their jobs, keys no maker', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-embedded-'));
  const file = join(folder, 'guise.db');
  await migrateSqlite(file);
  const records = new Database(file);
  t.after(() => {
    records.close();
    rmSync(folder, { recursive: true });
  });
  records.exec(formerWebhooks);
  await migrateSqlite(file);
  const columns = Object.keys(migratedDelivery).join(', ');
  assert.deepEqual(records.prepare(`select ${columns} from webhooks`).all(), [migratedDelivery]);
  const key = records.prepare('select id, made_by, budget, spent from credentials').get();
  assert.deepEqual(key, { id: 'key-1', made_by: null, budget: null, spent: 0 });
});
