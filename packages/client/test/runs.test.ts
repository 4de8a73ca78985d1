import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../server/test/support/harness.ts';
import { tinyMp4, tinyPng, untilAborted } from '../../server/test/support/test-engine.ts';
import { Guise } from '../src/guise.ts';
import { GuiseError } from '../src/guise-error.ts';
import type { FamilyInputs, RunFamily } from '../src/runs/family-inputs.ts';
import type { JobProgress } from '../src/runs/job-events.ts';
import { readPhotoInput } from '../src/runs/photo-input.ts';
import { answer, type Handler, serve } from './support/scripted-server.ts';

const bytes = Buffer.from(photo, 'base64');
const folder = mkdtempSync(join(tmpdir(), 'guise-test-'));
const file = join(folder, 'photo.jpg');
writeFileSync(file, bytes);
after(() => rmSync(folder, { recursive: true }));

test('a photo is a path, a file URL, bytes, a Blob or a stream, and is sent as base64', async () => {
  const inputs = [
    file,
    pathToFileURL(file),
    bytes,
    new Uint8Array(bytes).buffer,
    new Blob([bytes]),
    new Blob([bytes]).stream(),
    Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
  ];
  for (const input of inputs) assert.equal(await readPhotoInput(input), photo);
});

test('an address of a photo is sent as it is', async () => {
  assert.equal(await readPhotoInput('https://example.com/a.jpg'), 'https://example.com/a.jpg');
  assert.equal(await readPhotoInput(new URL('https://example.com/a.jpg')), 'https://example.com/a.jpg');
  assert.equal(await readPhotoInput('data:image/png;base64,AA=='), 'data:image/png;base64,AA==');
});

test('downscale uses the library that is handed in, and says so when there is none', async () => {
  const asked: number[] = [];
  const resizePhoto = async (given: Uint8Array, side: number) => {
    asked.push(side);
    return given.subarray(0, 3);
  };
  const small = await readPhotoInput(bytes, { downscale: true, resizePhoto });
  assert.equal(small, bytes.subarray(0, 3).toString('base64'));
  await readPhotoInput(bytes, { downscale: 800, resizePhoto });
  assert.deepEqual(asked, [2048, 800]);
  await assert.rejects(readPhotoInput(bytes, { downscale: true }), /resizePhoto/);
});

const events =
  (text: string, end = true): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (end) response.end();
  };
const progressEvent = (progress: number) =>
  `event: progress\ndata: {"id":"x","status":"IN_QUEUE","progress":${progress},"error":null}\n\n`;
const running = answer(200, { id: 'x', status: 'IN_QUEUE', output: {}, progress: 0.5 });
const completed = answer(200, { id: 'x', status: 'COMPLETED', output: { images: ['QUJD'] } });
const job = { id: 'x', family: 'face_swap_v6' } as const;

test('a wait follows the events, opens a stream that was cut again, and reads the result when the job has ended', async () => {
  const server = await serve(
    events(progressEvent(0.25)),
    events(
      `${progressEvent(0.5)}event: end\ndata: {"id":"x","status":"COMPLETED","progress":1,"error":null}\n\n`,
      false,
    ),
    completed,
  );
  const seen: JobProgress[] = [];
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  const result = await guise.result(job, { onProgress: (progress) => seen.push(progress) });
  assert.equal(Buffer.from(await result.bytes()).toString(), 'ABC');
  assert.equal(result.url, 'data:image/png;base64,QUJD');
  assert.deepEqual(
    seen.map(({ status, progress }) => [status, progress]),
    [
      ['IN_QUEUE', 0.25],
      ['IN_QUEUE', 0.5],
      ['COMPLETED', 1],
    ],
  );
  assert.equal(server.requests(), 3);
  server.close();
});

test('without events, the server is asked to hold its answer, and asked again when it does not', async () => {
  const held: unknown[] = [];
  const server = await serve(
    answer(404, {}),
    (request, response) => {
      held.push(request.headers.prefer);
      running(request, response);
    },
    completed,
  );
  const seen: number[] = [];
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  await guise.result(job, { onProgress: ({ progress }) => seen.push(progress) });
  assert.deepEqual(held, ['wait=2']);
  assert.deepEqual(seen, [0.5, 1]);
  server.close();
});

test('a wait lasts through a server that is away for a while', async () => {
  const server = await serve(answer(404, {}), (request) => request.socket.destroy(), completed);
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k', retries: 0 });
  assert.equal((await guise.result(job)).mediaType, 'image/png');
  server.close();
});

test('a wait does not heed the clock of the machine, which may be set back', {
  timeout: 20_000,
}, async (t) => {
  const server = await serve(
    answer(404, {}),
    (request, response) => {
      const now = Date.now() - 3_600_000;
      t.mock.method(Date, 'now', () => now);
      running(request, response);
    },
    completed,
  );
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  assert.equal((await guise.result(job)).mediaType, 'image/png');
  server.close();
});

test('an error that the callback throws ends the wait', async () => {
  const server = await serve(events(progressEvent(0.25)));
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  const onProgress = () => {
    throw new Error('mine');
  };
  await assert.rejects(guise.result(job, { onProgress }), { message: 'mine' });
  server.close();
});

test('a failed job is an error with its sentence and its id', async () => {
  const server = await serve(
    answer(404, {}),
    answer(200, { id: 'x', status: 'FAILED', output: {}, error: 'There is no face.' }),
  );
  const guise = new Guise({ baseUrl: server.baseUrl, apiKey: 'k' });
  await assert.rejects(guise.result(job), { code: 'JOB_FAILED', message: 'There is no face.', jobId: 'x' });
  server.close();
});

/** Every family's method, with the least that it takes. */
const runs: { [F in RunFamily]: (guise: Guise, input: FamilyInputs[F]) => Promise<{ mediaType: string }> } = {
  face_swap_v6: (guise, input) => guise.faceSwap(input),
  face_swap_v5: (guise, input) => guise.faceSwapV5(input),
  face_swap_v1: (guise, input) => guise.faceSwapV1(input),
  self_prompt_v2: (guise, input) => guise.selfPrompt(input),
  multi_swap_v5: (guise, input) => guise.multiSwap(input),
  multi_swap_self_prompt_v5: (guise, input) => guise.multiSwapSelfPrompt(input),
  stylized_multi_swap_v1: (guise, input) => guise.stylizedMultiSwap(input),
  stylized_multi_swap_self_prompt_v1: (guise, input) => guise.stylizedMultiSwapSelfPrompt(input),
  multi_swap_v4: (guise, input) => guise.multiSwapV4(input),
  single_frame_video: (guise, input) => guise.singleFrameVideo(input),
  first_last_frame_video: (guise, input) => guise.firstLastFrameVideo(input),
  living_portrait: (guise, input) => guise.livingPortrait(input),
};
const inputs: FamilyInputs = {
  face_swap_v6: { photo: file, filter: 1, gender: 'female', ratio: 'square', qualityMode: 'v6', seed: 7 },
  face_swap_v5: { photo: bytes, filter: '1', gender: 'boy' },
  face_swap_v1: { photo: bytes, filter: 1 },
  self_prompt_v2: { prompt: 'on a mountain' },
  multi_swap_v5: { photo: bytes, style: 1 },
  multi_swap_self_prompt_v5: { prompt: 'in a neon city', photos: bytes },
  stylized_multi_swap_v1: { photo: bytes, style: 1, outpaint: true },
  stylized_multi_swap_self_prompt_v1: { prompt: 'as a woodcut', photos: [bytes, bytes] },
  multi_swap_v4: { filter: 1, photos: [bytes, bytes] },
  single_frame_video: {
    photo: bytes,
    prompt: 'slow zoom',
    model: 'performance',
    duration: '6s',
    aspectRatio: '3:2',
  },
  first_last_frame_video: { first: bytes, last: file, prompt: 'fade', duration: '8s' },
  living_portrait: { photos: [bytes, file], filter: 1, seconds: 4, format: 'gif' },
};

describe('against a server', () => {
  let server: TestServer;
  let account: TestAccount;
  let guise: Guise;
  before(async () => {
    server = await startTestServer();
    account = await server.account();
    guise = new Guise({ baseUrl: server.url, apiKey: account.api_key });
  });
  after(() => server.stop());

  test('every family is made by its method, with everything the input said', async () => {
    const run = <F extends RunFamily>(family: F) => runs[family](guise, inputs[family]);
    for (const family of Object.keys(runs) as RunFamily[]) {
      const result = await run(family);
      const loop = family === 'living_portrait' ? 'image/gif' : 'image/png';
      assert.equal(result.mediaType, family.endsWith('_video') ? 'video/mp4' : loop, family);
    }
    const made = Object.fromEntries(server.engine.requests.map((request) => [request.family, request]));
    assert.deepEqual(Object.keys(made).sort(), Object.keys(runs).sort());
    assert.deepEqual(made.face_swap_v6!.params, {
      seed: 7,
      gender: 1,
      filter_id: 1,
      ratio: 'square',
      quality_mode: 'v6',
    });
    assert.deepEqual(made.face_swap_v5!.params, { gender: 2, filter_id: 1, ratio: 'portrait' });
    assert.deepEqual([made.multi_swap_v4!.images.length, made.first_last_frame_video!.images.length], [2, 2]);
    assert.deepEqual(
      [made.stylized_multi_swap_v1!.params, made.multi_swap_v5!.params],
      [
        { style_id: 1, outpaint: true },
        { style_id: 1, outpaint: false },
      ],
    );
  });

  test('a result is saved, read as bytes and shown by its address, a picture and a video alike', async () => {
    const picture = await guise.faceSwap(inputs.face_swap_v6);
    const video = await guise.singleFrameVideo(inputs.single_frame_video);
    await picture.save(join(folder, 'picture.png'));
    await video.save(join(folder, 'video.mp4'));
    assert.deepEqual(readFileSync(join(folder, 'picture.png')), tinyPng);
    assert.deepEqual(readFileSync(join(folder, 'video.mp4')), tinyMp4);
    assert.deepEqual(Buffer.from(await (await fetch(video.url)).arrayBuffer()), tinyMp4);
    assert.deepEqual([picture.applied, picture.ignored], [['a thing'], ['another']]);
    assert.deepEqual([picture.quality?.grade, video.quality], ['fair', undefined]);
    assert.ok(picture.expiresAt! > new Date());
    assert.equal((await video.blob()).type, 'video/mp4');
  });

  test('submit, status and cancel are for callers who wait themselves; the job they cancel has failed', async () => {
    server.engine.before = untilAborted;
    const submitted = await guise.submit('multi_swap_v5', inputs.multi_swap_v5);
    assert.equal(submitted.status, 'IN_QUEUE');
    assert.notEqual((await guise.status(submitted)).status, 'COMPLETED');
    await guise.cancel(submitted);
    await assert.rejects(guise.result(submitted), { code: 'JOB_FAILED', message: /cancelled/ });
    server.engine.before = async () => {};
  });

  test('a run whose signal aborts is cancelled, and its credits come back', async () => {
    server.engine.before = untilAborted;
    const balance = await account.credits();
    const abort = new AbortController();
    const reason = new Error('the guest has left');
    const run = guise.faceSwap(inputs.face_swap_v6, {
      signal: abort.signal,
      onProgress: () => abort.abort(reason),
    });
    await assert.rejects(run, (error) => error === reason);
    assert.equal(await account.credits(), balance);
    server.engine.before = async () => {};
  });

  test('the same idempotency key gives the same job', async () => {
    const options = { idempotencyKey: 'order-17' };
    const first = await guise.submit('face_swap_v6', inputs.face_swap_v6, options);
    const second = await guise.submit('face_swap_v6', inputs.face_swap_v6, options);
    assert.equal(second.id, first.id);
    await guise.result(first);
  });

  test('the events of a job are iterated to its end, and a job that is not there is an error', async () => {
    const { id } = await guise.submit('face_swap_v6', inputs.face_swap_v6);
    const types = [];
    for await (const { type } of guise.jobs.events(id)) types.push(type);
    assert.equal(types.at(-1), 'end');
    const missing = guise.jobs.events('01a1dd00-0000-7000-8000-000000000000');
    await assert.rejects(missing.next(), { code: 'JOB_NOT_FOUND' });
  });

  test('for await goes over all pages of jobs and of the ledger', async () => {
    const jobs = [];
    for await (const { id } of guise.jobs.all({ limit: 5 })) jobs.push(id);
    assert.ok(jobs.length > 10);
    assert.equal(new Set(jobs).size, jobs.length);
    const amounts = [];
    for await (const { amount } of guise.account.ledger()) amounts.push(amount);
    assert.equal(
      amounts.reduce((sum, amount) => sum + amount, 0),
      await account.credits(),
    );
  });

  test('a refused run has a typed code, the fields and the id of the request', async () => {
    const run = guise.faceSwap({ ...inputs.face_swap_v6, filter: 9999 });
    await assert.rejects(run, (error) => {
      assert.ok(error instanceof GuiseError);
      assert.equal(error.code, 'FILTER_NOT_FOUND');
      assert.equal(error.status, 422);
      assert.match(error.requestId!, /\w/);
      return true;
    });
    const stranger = new Guise({ baseUrl: server.url, apiKey: 'wrong' });
    await assert.rejects(stranger.faceSwap(inputs.face_swap_v6), { code: 'UNAUTHORIZED' });
  });
});
