import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { createChanges } from '@guise/server/jobs/changes.ts';
import { noJobHooks } from '@guise/server/jobs/job-hooks.ts';
import { noJobMetrics } from '@guise/server/jobs/job-metrics.ts';
import { startWorker } from '@guise/server/jobs/worker-loop.ts';
import { noSigner } from '@guise/server/provenance/result-signer.ts';
import type { Db } from '@guise/server/store/db.ts';
import { diskBlobs } from '@guise/server/store/embedded/blobs-disk.ts';
import { localQueue } from '@guise/server/store/embedded/queue-local.ts';
import { findJobById } from '@guise/server/store/job-records.ts';
import { listJobsBetween } from '@guise/server/store/reports/job-list-records.ts';
import { pino } from 'pino';
import { queuedJob } from '../../packages/server/test/jobs/queued-job.ts';
import { caseOf } from '../../packages/server/test/support/contract-cases.ts';
import { decodesHere } from '../../packages/server/test/support/decode-here.ts';
import { request, temporaryConfig, until } from '../../packages/server/test/support/harness.ts';
import { testEngine, untilAborted } from '../../packages/server/test/support/test-engine.ts';
import { startServerProcess } from './server-process.ts';

const { run, status, body } = caseOf('face_swap_v1');
const config = temporaryConfig();
let db: Db;
let account: { id: string; api_key: string };
let headers: { 'x-api-key': string };
before(async () => {
  db = await openStore(config);
  account = await createAccount(db, { email: 'shutdown@example.com', credits: 100_000 });
  headers = { 'x-api-key': account.api_key };
});
after(async () => {
  await db.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

/** The answer's status, or how the connection failed. */
const statusOf = (url: string, path: string) =>
  request(url, 'GET', path).then(
    (answer) => answer.status,
    () => 'closed',
  );

test('SIGTERM under load: what was taken is answered, callers that wait are answered, every job completes later', async (t) => {
  const server = startServerProcess(config.dataDir, '150-300');
  t.after(() => server.kill('SIGKILL'));
  const url = await server.url;
  const acknowledged: string[] = [];
  let stopped = false;
  const submitUntilStopped = async () => {
    while (!stopped) {
      const answer = await request(url, 'POST', run, body, headers).catch(() => null);
      if (answer) acknowledged.push(answer.body.id);
      else return;
    }
  };
  const submitters = Array.from({ length: 6 }, submitUntilStopped);
  await until(async () => acknowledged.length >= 40, 30_000);
  const last = acknowledged.at(-1)!;
  const waiting = request(url, 'POST', status + last, undefined, { ...headers, prefer: 'wait=60' });
  await sleep(20);

  const told = Date.now();
  server.kill('SIGTERM');
  await until(async () => (await statusOf(url, '/ready')) !== 200);
  const { code } = await server.exited;
  const seconds = (Date.now() - told) / 1000;
  stopped = true;
  await Promise.all(submitters);
  assert.equal(code, 0);
  assert.ok(seconds < 15, `it took ${seconds} s`);
  assert.equal((await waiting).status, 200);

  const rows = await db.all(listJobsBetween, {
    account_id: account.id,
    since: '',
    before: '~',
    limit: 100_000,
  });
  assert.deepEqual(rows.map((job) => job.id).sort(), acknowledged.sort());
  assert.deepEqual(
    rows.filter((job) => job.state === 'running'),
    [],
  );

  const next = startServerProcess(config.dataDir, '0-1');
  t.after(() => next.kill('SIGKILL'));
  for (const id of acknowledged) {
    const end = await request(await next.url, 'POST', status + id, undefined, {
      ...headers,
      prefer: 'wait=60',
    });
    assert.match(end.body.status, /^(COMPLETED|FAILED)$/);
  }
  next.kill('SIGTERM');
  assert.equal((await next.exited).code, 0);
});

test('a job that outlasts the grace goes back to the queue, unblamed', async () => {
  const queue = localQueue(db);
  const engine = testEngine();
  engine.before = untilAborted;
  const worker = startWorker(
    {
      db,
      queue,
      blobs: diskBlobs(join(config.dataDir, 'blobs')),
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
  const { id } = await queuedJob(db, queue, account.id);
  const waiting = await queuedJob(db, queue, account.id);
  await until(async () => engine.requests.length === 1);
  await worker.stop(50);
  assert.equal(worker.running(), 0);
  for (const job of [id, waiting.id]) {
    const row = (await db.one(findJobById, { id: job }))!;
    assert.deepEqual([row.state, row.retries, row.losses, row.error], ['queued', 0, 0, null]);
  }
  assert.equal(engine.requests.length, 1);
});

/** The command line as it is installed. */
const guise = (...words: string[]) =>
  spawn(
    process.execPath,
    [fileURLToPath(new URL(import.meta.resolve('@guise/server/cli/main.ts'))), ...words],
    {
      env: { ...process.env, PORT: '0', GUISE_DATA_DIR: config.dataDir, GUISE_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

test('a second server on the same data folder refuses to start and says why', async (t) => {
  const first = startServerProcess(config.dataDir);
  t.after(() => first.kill('SIGKILL'));
  await first.url;
  const second = guise('start');
  const [out, err, [code]] = await Promise.all([
    text(second.stdout),
    text(second.stderr),
    once(second, 'exit'),
  ]);
  assert.equal(code, 1);
  assert.equal(out, '');
  const sentence = `Another Guise server is using ${config.dataDir}. Stop it, or set GUISE_DATA_DIR to another folder.`;
  assert.equal(err.trim(), sentence);
  assert.equal(await statusOf(await first.url, '/ready'), 200);
  first.kill('SIGTERM');
  await first.exited;
});

test('`start` ends with 0 on SIGTERM', async (t) => {
  const server = guise('start');
  t.after(() => server.kill('SIGKILL'));
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
  assert.match(line, /listening on http:/);
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  assert.equal(code, 0);
});
