import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import sharp from 'sharp';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { sampleSet } from '../../src/qa/sample-set.ts';
import { countJobs } from '../../src/store/job-records.ts';
import { insertQaCell, insertQaRun } from '../../src/store/qa/qa-run-records.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door, tinyPng } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
let samples: { id: string; first_photos: { id: string }[] };
before(async () => {
  server = await startTestServer({ testsPerMinute: 0, maxQueued: 10_000 });
  account = await server.account();
  samples = (await account.call('GET', '/v1/photo_sets')).body.photo_sets[0];
});
afterEach(async () => {
  server.engine.before = async () => {};
  // What a test leaves behind must not end in the next one.
  await until(async () => (await server.db.one(countJobs, { state: 'queued' }))!.count === 0);
  await until(async () => (await server.db.one(countJobs, { state: 'running' }))!.count === 0);
});
after(() => server.stop());

const runs = '/v1/qa_runs';
const photoCount = sampleSet.photos.length;
const filters = '/v1/users/me/my-custom-filters';

async function makeFilter(filter_type = 'face_swap', owner = account): Promise<string> {
  const { body } = await owner.call('POST', filters, {
    name: 'Snow',
    filter_type,
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  return body.id;
}

async function makeRun(wanted: Record<string, unknown> = {}, owner = account): Promise<QaRun> {
  const filter_id = wanted.filter_id ?? (await makeFilter('face_swap', owner));
  const { status, body } = await owner.call('POST', runs, { filter_id, photo_set_id: samples.id, ...wanted });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const readRun = async (id: string): Promise<QaRun> => (await account.call('GET', `${runs}/${id}`)).body;
const ended = ({ status }: QaCell) => status === 'COMPLETED' || status === 'FAILED';
const waitForEnd = (id: string) =>
  until(async () => {
    const run = await readRun(id);
    return run.cells.every(ended) && run;
  });

test('a QA run submits one charged job for every photo, and its cells fill in as they end', async () => {
  const filter_id = await makeFilter();
  const query = `filter_id=${filter_id}&photo_set_id=${samples.id}`;
  const balance = await account.credits();
  for (const versions of ['', '&versions=1'])
    assert.deepEqual((await account.call('GET', `${runs}/price?${query}${versions}`)).body, {
      cells: photoCount,
      price: photoCount,
      balance,
    });
  const { work, open } = door();
  server.engine.before = work;
  const made = await makeRun({ filter_id });
  assert.equal(await account.credits(), balance - photoCount);
  assert.deepEqual(
    made.cells.map(({ version, verdict, note, error, quality }) => [version, verdict, note, error, quality]),
    Array.from({ length: photoCount }, () => [1, null, '', null, null]),
  );
  assert.ok(made.cells.every(({ status }) => status === 'QUEUED' || status === 'RUNNING'));
  assert.deepEqual(made.filter, { id: filter_id, name: 'Snow', filter_type: 'face_swap' });
  assert.equal(new Set(made.cells.map(({ job_id }) => job_id)).size, photoCount);
  open();
  const run = await waitForEnd(made.id);
  for (const cell of run.cells) {
    assert.equal(cell.status, 'COMPLETED');
    assert.equal(cell.progress, 1);
    const reasons = ['Something that belongs to nobody is in the picture.'];
    assert.deepEqual(cell.quality, { grade: 'fair', reasons });
    const picture = await fetch(cell.result_url!);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await picture.bytes()), tinyPng);
    assert.equal((await fetch(cell.photo.thumbnail_url!)).status, 200);
    assert.equal((await fetch(cell.thumbnail_url!)).headers.get('content-type'), 'image/webp');
  }
  const jobs = (await account.call('GET', `/v1/jobs?limit=${photoCount}`)).body.jobs;
  assert.deepEqual(
    jobs.map((job: { family: string; filter: string }) => [job.family, job.filter]),
    Array.from({ length: photoCount }, () => ['face_swap_v1', filter_id]),
  );
});

test('a multi swap filter runs as multi swap, on the photos that are named', async () => {
  const filter_id = await makeFilter('multi_swap');
  const two = samples.first_photos[2]!.id;
  const made = await makeRun({ filter_id, photo_ids: [two] });
  assert.deepEqual([made.cells.length, made.price, made.cells[0]!.photo.people], [1, 3, 2]);
  await waitForEnd(made.id);
  const run = server.engine.requests.find(
    ({ filterRef, jobId }) => filterRef === filter_id && !jobId.startsWith('preview'),
  );
  assert.equal(run?.family, 'multi_swap_v5');
});

test('two versions of a filter run side by side, each with its own definition and its own pass rate', async () => {
  const filter_id = await makeFilter();
  await account.call('PATCH', `${filters}/${filter_id}`, {
    definition: { kind: 'prompt', prompt: 'in the desert' },
  });
  const photo_ids = [samples.first_photos[0]!.id];
  const { id } = await makeRun({ filter_id, photo_ids, versions: [1, 2] });
  const { cells } = await waitForEnd(id);
  assert.deepEqual(
    cells.map(({ version }) => version),
    [1, 2],
  );
  const promptOf = ({ job_id }: QaCell) =>
    server.engine.requests.find(({ jobId }) => jobId === job_id)?.prompt;
  assert.deepEqual(cells.map(promptOf), ['in the snow', 'in the desert']);
  await account.call('PATCH', `${runs}/${id}/cells/${cells[0]!.id}`, { verdict: 'bad' });
  await account.call('PATCH', `${runs}/${id}/cells/${cells[1]!.id}`, { verdict: 'good' });
  const { pass_rate, results } = await readRun(id);
  assert.deepEqual([pass_rate, ...results.map((result) => result.pass_rate)], [0.5, 0, 1]);
});

test('the version of a template filter that was replaced still runs with its own photo', async () => {
  const image = async (background: string) =>
    (
      await sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer()
    ).toString('base64');
  const { id: filter_id } = (
    await account.call('POST', filters, {
      name: 'Poster',
      filter_type: 'face_swap',
      definition: { kind: 'template', image: await image('red') },
    })
  ).body;
  await account.call('PATCH', `${filters}/${filter_id}`, {
    definition: { kind: 'template', image: await image('blue') },
  });
  const colours = new Map<string, number[]>();
  server.engine.before = async ({ jobId, filter }) => {
    if (filter?.kind !== 'template') return;
    const { dominant } = await sharp(filter.image).stats();
    colours.set(jobId, [dominant.r > 128 ? 1 : 0, dominant.b > 128 ? 1 : 0]);
  };
  const made = await makeRun({ filter_id, photo_ids: [samples.first_photos[0]!.id], versions: [1, 2] });
  const { cells } = await waitForEnd(made.id);
  assert.deepEqual(
    cells.map(({ job_id }) => colours.get(job_id!)),
    [
      [1, 0],
      [0, 1],
    ],
  );
});

test('a person says that a version is ready, which an edit takes back; a version that was replaced cannot be', async () => {
  const id = await makeFilter();
  const say = (body: unknown, owner = account) => owner.call('POST', `${filters}/${id}/ready`, body);
  const said = await say({ version: 1, ready: true });
  assert.equal(said.status, 200);
  assert.deepEqual([said.body.ready, said.body.by], [true, account.email]);
  assert.ok(Date.parse(said.body.at) <= Date.now());
  const readyOf = async () => (await account.call('GET', `${filters}/${id}`)).body;
  assert.deepEqual([(await readyOf()).ready, (await readyOf()).ready_by], [true, account.email]);
  const taken = await say({ version: 1, ready: false });
  assert.deepEqual([taken.body.ready, taken.body.by, taken.body.at], [false, null, null]);
  await say({ version: 1, ready: true });
  await account.call('PATCH', `${filters}/${id}`, { definition: { kind: 'prompt', prompt: 'a lake' } });
  assert.equal((await readyOf()).ready, false);
  const late = await say({ version: 1, ready: true });
  assert.deepEqual([late.status, late.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  assert.equal((await readyOf()).ready, false);
  assert.equal((await say({ version: 2, ready: true }, await server.account())).status, 404);
  assert.equal((await say({ version: 2, ready: 'yes' })).status, 422);
});

test('a run over own photos keeps its results when the photos are erased', async () => {
  const set = (await account.call('POST', '/v1/photo_sets', { name: 'Own' })).body;
  const added = (await account.call('POST', `/v1/photo_sets/${set.id}/photos`, { image: photo, name: 'Me' }))
    .body;
  const { id } = await makeRun({ photo_set_id: set.id });
  const before = (await waitForEnd(id)).cells[0]!;
  assert.deepEqual([before.photo.id, before.photo.name], [added.id, 'Me']);
  assert.equal((await fetch(before.photo.url!)).status, 200);
  await account.call('DELETE', `/v1/photo_sets/${set.id}`);
  const after = (await readRun(id)).cells[0]!;
  assert.deepEqual([after.photo.name, after.photo.url, after.photo.thumbnail_url], ['Me', null, null]);
  assert.equal((await fetch(after.result_url!)).status, 200);
  const retried = await account.call('POST', `${runs}/${id}/cells/${after.id}/retry`);
  assert.deepEqual([retried.status, retried.body.error_code], [404, 'PHOTO_NOT_FOUND']);
});

test('nothing is made or charged where the account cannot pay for all cells', async () => {
  const poor = await server.account(2);
  const filter_id = await makeFilter('face_swap', poor);
  const answer = await poor.call('POST', runs, { filter_id, photo_set_id: samples.id });
  assert.deepEqual([answer.status, answer.body.error_code], [402, 'INSUFFICIENT_CREDITS']);
  assert.equal(await poor.credits(), 2);
  assert.deepEqual((await poor.call('GET', runs)).body, { qa_runs: [], next_cursor: null });
});

test('nothing is made or charged where the budget of the key does not pay for all cells', async () => {
  const owner = await server.account();
  const filter_id = await makeFilter('face_swap', owner);
  const { secret } = (await owner.call('POST', '/v1/keys', { name: 'small', budget: 2 })).body;
  const wanted = { filter_id, photo_set_id: samples.id };
  const answer = await owner.call('POST', runs, wanted, { 'x-api-key': secret });
  assert.deepEqual([answer.status, answer.body.error_code], [402, 'INSUFFICIENT_CREDITS']);
  assert.match(answer.body.error, /budget of this key/);
  assert.deepEqual((await owner.call('GET', runs)).body, { qa_runs: [], next_cursor: null });
});

test('a run that is repeated with its Idempotency-Key, also at once, is one run whose cells are submitted once', async () => {
  const filter_id = await makeFilter();
  const balance = await account.credits();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      account.call('POST', runs, { filter_id, photo_set_id: samples.id }, { 'idempotency-key': 'qa-1' }),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(await account.credits(), balance - photoCount);
});

test('a cell that a process left unsubmitted when it ended is shown as failed, and can be retried', async () => {
  const hourAgo = Date.now() - 3600_000;
  const run = {
    id: newId(hourAgo),
    account_id: account.id,
    filter_id: await makeFilter(),
    filter_name: 'Snow',
    filter_type: 'face_swap',
    versions: '[1]',
    photo_set_id: samples.id,
    photo_set_name: 'Samples',
    price: 2,
    created_at: hourAgo,
  } as const;
  const cell = {
    id: crypto.randomUUID(),
    run_id: run.id,
    account_id: account.id,
    position: 0,
    photo_id: samples.first_photos[0]!.id,
    photo_name: 'One person',
    people: 1,
    version: 1,
    job_id: null,
    submits: 0,
    error: null,
    verdict: null,
    note: '',
    revision: 1,
  };
  await server.db.run(insertQaRun, run);
  await server.db.run(insertQaCell, cell);
  const [shown] = (await readRun(run.id)).cells as [QaCell];
  assert.deepEqual([shown.status, shown.job_id], ['FAILED', null]);
  assert.match(shown.error!, /Retry/);
  const retried = await account.call('POST', `${runs}/${run.id}/cells/${cell.id}/retry`);
  assert.deepEqual([retried.status, retried.body.error], [200, null]);
  assert.equal((await waitForEnd(run.id)).cells[0]!.status, 'COMPLETED');
});

test('verdicts and notes are a person’s, give the pass rate, and honour If-Match', async () => {
  const { id, cells } = await makeRun();
  assert.equal((await readRun(id)).pass_rate, null);
  const judge = (cell: QaCell, body: unknown, headers = {}) =>
    account.call('PATCH', `${runs}/${id}/cells/${cell.id}`, body, headers);
  const good = await judge(cells[0]!, { verdict: 'good' });
  assert.deepEqual([good.status, good.body.verdict, good.body.note], [200, 'good', '']);
  assert.equal(good.headers.get('etag'), good.body.etag);
  assert.equal((await judge(cells[1]!, { verdict: 'good' })).status, 200);
  const bad = await judge(cells[2]!, { verdict: 'bad', note: ' the hat floats ' });
  assert.equal(bad.body.note, 'the hat floats');
  const run = await readRun(id);
  assert.equal(run.pass_rate, 2 / 3);
  assert.deepEqual(run.results, [{ version: 1, cells: photoCount, good: 2, bad: 1, pass_rate: 2 / 3 }]);
  const listed = (await account.call('GET', `${runs}?limit=1`)).body;
  assert.deepEqual([listed.qa_runs[0].id, listed.qa_runs[0].pass_rate], [id, 2 / 3]);
  const stale = await judge(cells[2]!, { note: 'late' }, { 'if-match': cells[2]!.etag });
  assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  const taken = await judge(cells[2]!, { verdict: null }, { 'if-match': bad.body.etag });
  assert.deepEqual([taken.body.verdict, taken.body.note], [null, 'the hat floats']);
  assert.equal((await readRun(id)).pass_rate, 1);
  for (const body of [{}, { verdict: 'fine' }, { note: 'x'.repeat(2001) }]) {
    assert.equal((await judge(cells[0]!, body)).body.error_code, 'VALIDATION_ERROR');
  }
});

test('a failed cell says why in the guest’s words, returns its credits, and is retried once however often it is asked for', async () => {
  server.engine.before = async () => {
    throw new AppError('ENGINE_REFUSED', 'There is no face in this photo.');
  };
  const balance = await account.credits();
  const { id } = await makeRun({ photo_ids: [samples.first_photos[0]!.id] });
  const failed = (await waitForEnd(id)).cells[0]!;
  assert.deepEqual([failed.status, failed.error], ['FAILED', 'There is no face in this photo.']);
  assert.equal(await account.credits(), balance);
  await account.call('PATCH', `${runs}/${id}/cells/${failed.id}`, { verdict: 'bad' });
  const { work, open } = door();
  server.engine.before = work;
  const retry = () => account.call('POST', `${runs}/${id}/cells/${failed.id}/retry`);
  const answers = await Promise.all([retry(), retry(), retry()]);
  assert.ok(answers.every(({ status }) => status === 200 || status === 412));
  assert.equal(await account.credits(), balance - 1);
  const again = (await retry()).body as QaCell;
  assert.notEqual(again.job_id, failed.job_id);
  assert.equal(again.verdict, null);
  open();
  assert.equal((await waitForEnd(id)).cells[0]!.status, 'COMPLETED');
  assert.equal(await account.credits(), balance - 1);
});

test('deleting a run cancels what has not ended and leaves the jobs that have', async () => {
  const done = await makeRun({ photo_ids: [samples.first_photos[0]!.id] });
  const [{ job_id }] = (await waitForEnd(done.id)).cells as [QaCell];
  const { work } = door();
  server.engine.before = work;
  const balance = await account.credits();
  const live = await makeRun();
  for (const { id } of [done, live]) {
    assert.equal((await account.call('DELETE', `${runs}/${id}`)).status, 204);
    assert.equal((await account.call('GET', `${runs}/${id}`)).body.error_code, 'QA_RUN_NOT_FOUND');
  }
  assert.equal(await account.credits(), balance);
  const jobs = (await account.call('GET', '/v1/jobs?limit=200')).body.jobs;
  assert.equal(jobs.find((job: { id: string }) => job.id === job_id).status, 'COMPLETED');
});

test('a cell whose job was erased is shown as expired, with its verdict', async () => {
  const { id } = await makeRun({ photo_ids: [samples.first_photos[0]!.id] });
  const cell = (await waitForEnd(id)).cells[0]!;
  await account.call('PATCH', `${runs}/${id}/cells/${cell.id}`, { verdict: 'good' });
  await account.call('DELETE', `/v1/jobs/${cell.job_id}`);
  const after = (await readRun(id)).cells[0]!;
  assert.deepEqual([after.status, after.result_url, after.verdict], ['EXPIRED', null, 'good']);
});

test('what a run names must exist and be the caller’s', async () => {
  const filter_id = await makeFilter();
  const stranger = await server.account();
  const set = (await account.call('POST', '/v1/photo_sets', { name: 'Empty' })).body;
  const other = crypto.randomUUID();
  for (const [body, code] of [
    [{ filter_id: other, photo_set_id: samples.id }, 'FILTER_NOT_FOUND'],
    [{ filter_id, photo_set_id: other }, 'PHOTO_SET_NOT_FOUND'],
    [{ filter_id, photo_set_id: samples.id, photo_ids: [other] }, 'PHOTO_NOT_FOUND'],
    [{ filter_id, photo_set_id: set.id }, 'VALIDATION_ERROR'],
    [{ filter_id, photo_set_id: samples.id, versions: [7] }, 'NOT_FOUND'],
    [{ filter_id, photo_set_id: samples.id, versions: [1, 1] }, 'VALIDATION_ERROR'],
    [{ filter_id, photo_set_id: samples.id, versions: [1, 2, 3] }, 'VALIDATION_ERROR'],
    [{ filter_id, photo_set_id: samples.id, photo_ids: [] }, 'VALIDATION_ERROR'],
  ] as const) {
    assert.equal((await account.call('POST', runs, body)).body.error_code, code);
  }
  const foreign = await stranger.call('POST', runs, { filter_id, photo_set_id: samples.id });
  assert.equal(foreign.body.error_code, 'FILTER_NOT_FOUND');
  const { id, cells } = await makeRun({ filter_id });
  for (const [method, path, body] of [
    ['GET', `${runs}/${id}`, undefined],
    ['DELETE', `${runs}/${id}`, undefined],
    ['PATCH', `${runs}/${id}/cells/${cells[0]!.id}`, { verdict: 'good' }],
    ['POST', `${runs}/${id}/cells/${cells[0]!.id}/retry`, undefined],
  ] as const) {
    const answer = await stranger.call(method, path, body);
    assert.deepEqual([answer.status, answer.body.error_code], [404, 'QA_RUN_NOT_FOUND']);
  }
  // A cell is found in its own run alone.
  const second = await makeRun({ filter_id });
  const elsewhere = `${runs}/${second.id}/cells/${cells[0]!.id}`;
  assert.equal((await account.call('PATCH', elsewhere, { verdict: 'good' })).status, 404);
  assert.equal((await account.call('POST', `${elsewhere}/retry`)).status, 404);
});
