import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import sharp from 'sharp';
import { caseOf } from '../support/contract-cases.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door, tinyMp4, tinyPng, untilAborted } from '../support/test-engine.ts';
import { filesOfZip } from '../support/zip-reader.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());
beforeEach(async () => {
  server.engine.before = async () => {};
  server.engine.result = null;
  account = await server.account();
});

const multi = caseOf('multi_swap_v5');
const prompt = caseOf('self_prompt_v2');
const video = caseOf('single_frame_video');
const submit = async ({ run, body }: { run: string; body: unknown }, headers?: Record<string, string>) =>
  (await account.call('POST', run, body, headers)).body.id as string;
const jobOf = async (id: string) => (await account.call('GET', `/v1/jobs/${id}`)).body;
const ended = (id: string) => until(async () => ((await jobOf(id)).finished_at === null ? false : jobOf(id)));
const idsIn = (answer: { body: { jobs: { id: string }[] } }) => answer.body.jobs.map(({ id }) => id);

test('GET /v1/jobs lists by family, filter, state and time, and by several at once', async () => {
  const group = await submit(multi);
  const text = await submit(prompt);
  await Promise.all([ended(group), ended(text)]);
  server.engine.before = async () => {
    throw new Error('broken on purpose');
  };
  const broken = await submit(multi);
  await ended(broken);
  server.engine.before = untilAborted;
  const running = [await submit(multi), await submit(prompt)];
  await until(async () => idsIn(await account.call('GET', '/v1/jobs?state=running')).length === 2);
  const queued = await submit(prompt);

  const list = async (query: string) => idsIn(await account.call('GET', `/v1/jobs?${query}`));
  assert.deepEqual(await list('family=self_prompt_v2'), [queued, running[1], text]);
  assert.deepEqual(await list('filter=1'), [running[0], broken, group]);
  assert.deepEqual(await list('state=failed'), [broken]);
  assert.deepEqual(await list('state=completed'), [text, group]);
  assert.deepEqual(await list('state=running'), running.toReversed());
  assert.deepEqual(await list('state=queued'), [queued]);
  assert.deepEqual(await list('state=completed&family=multi_swap_v5'), [group]);
  assert.deepEqual(await list('state=running&family=multi_swap_v5'), [running[0]]);
  assert.deepEqual(await list('state=failed&filter=2'), []);
  const { key } = (await account.call('GET', '/v1/users/me')).body;
  assert.deepEqual(await list(`key_id=${key.id}&state=failed`), [broken]);
  assert.deepEqual(await list(`key_id=${key.id}&filter=1`), [running[0], broken, group]);
  assert.deepEqual(await list(`key_id=${broken}`), []);
  const { created_at } = await jobOf(broken);
  assert.deepEqual(await list(`state=completed&to=${created_at}`), [text, group]);
  assert.deepEqual(await list(`from=${created_at}&state=failed`), [broken]);
  assert.deepEqual(await list(`from=${created_at}&state=completed`), []);
  assert.equal((await account.call('GET', '/v1/jobs?state=lost')).status, 422);
  assert.equal((await account.call('GET', '/v1/jobs?from=yesterday')).status, 422);
  assert.deepEqual(idsIn(await (await server.account()).call('GET', '/v1/jobs?state=running')), []);
  const { jobs } = (await account.call('GET', '/v1/jobs?family=multi_swap_v5&limit=1')).body;
  assert.equal(typeof jobs[0].filter_name, 'string');
  for (const id of [...running, queued]) await account.call('POST', `/v1/jobs/${id}/cancel`);
});

test('pages of a narrowed list follow one another', async () => {
  const ids: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < 4; i++) {
    ids.unshift(await submit(prompt));
    others.push(await submit(multi));
  }
  const first = (await account.call('GET', '/v1/jobs?family=self_prompt_v2&limit=3')).body;
  const second = (
    await account.call('GET', `/v1/jobs?family=self_prompt_v2&limit=3&cursor=${first.next_cursor}`)
  ).body;
  assert.deepEqual(
    [...first.jobs, ...second.jobs].map((job: { id: string }) => job.id),
    ids,
  );
  assert.equal(second.next_cursor, null);
  // The next test holds the engine's slots.
  await Promise.all([...ids, ...others].map(ended));
});

test('GET /v1/jobs/{id} tells the request without images, the engine, the worker and the parts of its time', async () => {
  const gate = door();
  server.engine.before = gate.work;
  const id = await submit(multi);
  await gate.reached;
  const during = await jobOf(id);
  assert.equal(during.status, 'PROCESSING');
  assert.deepEqual(
    during.timings.map(({ stage }: { stage: string }) => stage),
    ['waiting', 'running'],
  );
  assert.match(during.worker, /:\d+$/);
  assert.equal(during.engine, null);
  assert.equal(during.result_url, null);
  assert.equal(during.thumbnail_url, null);
  gate.open();
  const job = await ended(id);
  assert.deepEqual(job.params, { outpaint: false, style_id: 1 });
  assert.equal(job.engine, 'test');
  assert.equal(job.filter, '1');
  assert.equal(job.filter_kind, 'scene');
  assert.equal(job.filter_version, null);
  assert.deepEqual([job.applied, job.ignored], [['a thing'], ['another']]);
  assert.equal(job.quality.grade, 'fair');
  assert.equal(job.webhook, null);
  assert.deepEqual(
    job.timings.map(({ stage }: { stage: string }) => stage),
    ['waiting', 'running', 'storing'],
  );
  const whole = Date.parse(job.finished_at) - Date.parse(job.created_at);
  const sum = job.timings.reduce((total: number, { ms }: { ms: number }) => total + ms, 0);
  assert.equal(sum, whole);
  const result = await fetch(job.result_url);
  assert.equal(result.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await result.arrayBuffer()), tinyPng);
  assert.equal((await fetch(job.result_url, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(job.result_url.replace('signature=', 'signature=x'))).status, 403);
  const stranger = await server.account();
  assert.equal((await stranger.call('GET', `/v1/jobs/${id}`)).body.error_code, 'JOB_NOT_FOUND');
});

test('a job that was cancelled in the queue has waited and nothing else', async () => {
  server.engine.before = untilAborted;
  const ids = [await submit(multi), await submit(multi), await submit(multi)];
  for (const id of ids.toReversed()) await account.call('POST', `/v1/jobs/${id}/cancel`);
  const job = await jobOf(ids[2]!);
  assert.deepEqual(
    job.timings.map(({ stage }: { stage: string }) => stage),
    ['waiting'],
  );
  assert.equal(job.error, 'The job was cancelled.');
});

test('a thumbnail is 384 pixels on the longer side, made once, and erased with its job', async () => {
  server.engine.result = await sharp({
    create: { width: 800, height: 1200, channels: 3, background: '#4080c0' },
  })
    .png()
    .toBuffer();
  const id = await submit(multi);
  const { thumbnail_url } = await ended(id);
  const answers = await Promise.all([fetch(thumbnail_url), fetch(thumbnail_url)]);
  const [first, second] = await Promise.all(
    answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())),
  );
  assert.deepEqual(first, second);
  assert.equal(answers[0]!.headers.get('content-type'), 'image/webp');
  const { width, height, format } = await sharp(first).metadata();
  assert.deepEqual({ width, height, format }, { width: 256, height: 384, format: 'webp' });
  assert.equal((await server.blobKeys()).filter((key) => key.startsWith('thumbnails/')).length, 1);
  await account.call('DELETE', `/v1/jobs/${id}`);
  assert.equal((await fetch(thumbnail_url)).status, 404);
  assert.deepEqual(
    (await server.blobKeys()).filter((key) => key.includes(id)),
    [],
  );
});

test('the thumbnail of a video is a frame of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-video-'));
  const file = join(folder, 'red.mp4');
  const { command } = await findFfmpeg();
  const source = 'color=c=red:s=640x360:d=0.2:r=10';
  execFileSync(command, ['-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', file]);
  server.engine.result = readFileSync(file);
  const job = await ended(await submit(video));
  assert.equal(job.media_type, 'video/mp4');
  const picture = Buffer.from(await (await fetch(job.thumbnail_url)).arrayBuffer());
  const { width, height } = await sharp(picture).metadata();
  assert.deepEqual([width, height], [384, 216]);
  const { dominant } = await sharp(picture).stats();
  assert.ok(dominant.r > 200 && dominant.g < 60 && dominant.b < 60, JSON.stringify(dominant));
  rmSync(folder, { recursive: true });
});

test('a result that no thumbnail can be made of has none: 404', async () => {
  const job = await ended(await submit(video));
  assert.equal((await fetch(job.thumbnail_url)).status, 404);
});

test('POST /v1/job_archives gives a link to a zip file with the results of the caller’s jobs', async () => {
  const ids = [await submit(multi), await submit(video)];
  await Promise.all(ids.map(ended));
  const erased = await submit(multi);
  await ended(erased);
  const stranger = await server.account();
  const foreign = (await stranger.call('POST', multi.run, multi.body)).body.id;
  const answer = await account.call('POST', '/v1/job_archives', { ids: [...ids, erased, foreign] });
  assert.equal(answer.status, 201);
  assert.equal(answer.body.jobs, 3);
  await account.call('DELETE', `/v1/jobs/${erased}`);
  const download = await fetch(answer.body.url);
  assert.equal(download.headers.get('content-type'), 'application/zip');
  const files = filesOfZip(Buffer.from(await download.arrayBuffer()));
  assert.deepEqual(
    files.map(({ name }) => name.slice(11)),
    [`multi_swap_v5-${ids[0]}.png`, `single_frame_video-${ids[1]}.mp4`],
  );
  assert.deepEqual(
    files.map(({ bytes }) => bytes),
    [tinyPng, tinyMp4],
  );
  assert.equal((await account.call('POST', '/v1/job_archives', { ids: [] })).status, 422);
});

test('POST /v1/jobs/{id}/retry submits a failed job without photos again, charged anew; photos are gone: 409', async () => {
  server.engine.before = async () => {
    throw new Error('broken on purpose');
  };
  const { image: _, base64: __, ...text } = prompt.body as Record<string, unknown>;
  const withoutPhoto = await submit({ run: prompt.run, body: text });
  const withPhoto = await submit(multi);
  await Promise.all([ended(withoutPhoto), ended(withPhoto)]);
  server.engine.before = async () => {};
  const credits = await account.credits();
  const key = { 'idempotency-key': 'again' };
  const retried = await account.call('POST', `/v1/jobs/${withoutPhoto}/retry`, undefined, key);
  assert.equal(retried.status, 201);
  assert.notEqual(retried.body.id, withoutPhoto);
  const repeated = await account.call('POST', `/v1/jobs/${withoutPhoto}/retry`, undefined, key);
  assert.equal(repeated.body.id, retried.body.id);
  const done = await ended(retried.body.id);
  assert.equal(done.status, 'COMPLETED');
  assert.deepEqual(done.params, (await jobOf(withoutPhoto)).params);
  assert.equal(await account.credits(), credits - done.credits);
  const refused = await account.call('POST', `/v1/jobs/${withPhoto}/retry`);
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'INPUTS_DELETED']);
  const offered = async (id: string) => (await jobOf(id)).can_retry;
  assert.deepEqual(await Promise.all([withoutPhoto, withPhoto, retried.body.id].map(offered)), [
    true,
    false,
    false,
  ]);
  const completed = await account.call('POST', `/v1/jobs/${retried.body.id}/retry`);
  assert.deepEqual([completed.status, completed.body.error_code], [409, 'JOB_NOT_FAILED']);
  const stranger = await server.account();
  assert.equal((await stranger.call('POST', `/v1/jobs/${withPhoto}/retry`)).status, 404);
});

test('POST /v1/jobs/batch does what it can for each job and says what it could not', async () => {
  server.engine.before = untilAborted;
  const ids = [await submit(multi), await submit(multi), await submit(multi)];
  const stranger = await server.account();
  const foreign = (await stranger.call('POST', multi.run, multi.body)).body.id;
  const batch = (action: string, jobs: string[]) =>
    account.call('POST', '/v1/jobs/batch', { ids: jobs, action });
  const cancelled = (await batch('cancel', [...ids, foreign])).body.results;
  assert.deepEqual(
    cancelled.map(({ id, ok }: { id: string; ok: boolean }) => [id, ok]),
    [...ids.map((id) => [id, true]), [foreign, false]],
  );
  assert.equal(cancelled[0].job.status, 'FAILED');
  assert.deepEqual([cancelled[0].job.cancelled, cancelled[0].job.can_retry], [true, false]);
  const listed = async (query: string) => idsIn(await account.call('GET', `/v1/jobs?${query}`)).sort();
  assert.deepEqual(await listed('state=failed&cancelled=true'), [...ids].sort());
  assert.deepEqual(await listed('state=failed&cancelled=false'), []);
  assert.equal(cancelled[3].error_code, 'JOB_NOT_FOUND');
  assert.equal((await batch('retry', ids)).body.results[0].error_code, 'INPUTS_DELETED');
  const erased = await batch('erase', ids);
  assert.ok(erased.body.results.every(({ ok }: { ok: boolean }) => ok));
  assert.deepEqual(idsIn(await account.call('GET', '/v1/jobs')), []);
  assert.equal((await stranger.call('GET', `/v1/jobs/${foreign}`)).status, 200);
  assert.equal((await batch('burn', ids)).status, 422);
  await stranger.call('POST', `/v1/jobs/${foreign}/cancel`);
});

test('GET /v1/usage adds up jobs by day, family, filter and key, those included that were erased', async () => {
  const kept = await submit(multi);
  const erased = await submit(prompt);
  await Promise.all([ended(kept), ended(erased)]);
  server.engine.before = async () => {
    throw new Error('broken on purpose');
  };
  const broken = await submit(multi);
  await ended(broken);
  server.engine.before = untilAborted;
  const stopped = await submit(multi);
  await account.call('POST', `/v1/jobs/${stopped}/cancel`);
  const price = (await jobOf(erased)).credits;
  const usage = async (query: string) => (await account.call('GET', `/v1/usage?${query}`)).body;
  const total = { jobs: 4, completed: 2, failed: 2, cancelled: 1, credits: 3 + price };
  assert.deepEqual((await usage('')).total, total);
  await account.call('DELETE', `/v1/jobs/${erased}`);
  await account.call('DELETE', `/v1/jobs/${broken}`);
  await account.call('DELETE', `/v1/jobs/${stopped}`);
  assert.deepEqual(await usage('by=family'), {
    rows: [
      { family: 'multi_swap_v5', jobs: 3, completed: 1, failed: 2, cancelled: 1, credits: 3 },
      { family: 'self_prompt_v2', jobs: 1, completed: 1, failed: 0, cancelled: 0, credits: price },
    ],
    total,
  });
  const filters = (await usage('by=filter')).rows;
  assert.deepEqual(
    filters.map(({ filter, jobs }: { filter: string | null; jobs: number }) => [filter, jobs]),
    [
      ['1', 3],
      [null, 1],
    ],
  );
  const today = new Date().toISOString().slice(0, 10);
  const days = await account.call('GET', '/v1/usage?format=csv');
  assert.match(days.headers.get('content-type') ?? '', /^text\/csv/);
  assert.deepEqual(days.body.split('\r\n'), [
    'day,jobs,completed,failed,credits,cancelled',
    `${today},4,2,2,${3 + price},1`,
    '',
  ]);
  assert.deepEqual((await usage('to=2020-01-01T00:00:00Z')).total.jobs, 0);
  const long = await account.call('GET', '/v1/usage?from=2020-01-01T00:00:00Z');
  assert.deepEqual([long.status, long.body.fields[0].path], [422, 'from']);
});
