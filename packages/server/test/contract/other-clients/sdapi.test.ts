import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { cannotMake } from '../../../src/engines/engine.ts';
import {
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../support/harness.ts';
import { door, tinyPng } from '../../support/test-engine.ts';

// What clients of AUTOMATIC1111's web UI send, and what they read of the answers, in more detail than sdapi-client.test.ts,
// where such a client sends it itself.

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());
beforeEach(() => {
  server.engine.before = async () => {};
});

const img2img = '/sdapi/v1/img2img';
/** As the client library sends it, with everything that it always sends. */
const usual = {
  init_images: [`data:image/png;base64,${photo}`],
  prompt: '',
  negative_prompt: '',
  styles: [],
  seed: -1,
  subseed: -1,
  batch_size: 1,
  n_iter: 1,
  steps: 20,
  cfg_scale: 7,
  width: 512,
  height: 768,
  denoising_strength: 0.75,
  sampler_name: null,
  override_settings: {},
  alwayson_scripts: { controlnet: { args: [{ image: photo }] } },
  mask: null,
  include_init_images: false,
};
const ask = (fields: object, caller = account, headers: Record<string, string> = {}) =>
  caller.call('POST', img2img, { ...usual, ...fields }, headers);
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const requestOf = ({ info }: { info: string }) =>
  server.engine.requests.find(({ jobId }) => jobId === JSON.parse(info).job_id)!;

test('a prompt is a self-prompt of the photo, answered with the picture, the parameters and the info', async () => {
  const credits = await account.credits();
  const { status, body } = await ask({ prompt: ' on a mountain ', seed: 7, negative_prompt: 'rain' });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['images', 'parameters', 'info']);
  assert.deepEqual(body.images, [tinyPng.toString('base64')]);
  assert.equal(body.parameters.init_images, null);
  assert.deepEqual([body.parameters.steps, body.parameters.width], [20, 512]);
  const info = JSON.parse(body.info);
  assert.deepEqual([info.seed, info.all_seeds, info.prompt], [7, [7], 'on a mountain']);
  assert.deepEqual([info.width, info.height, info.sd_model_name], [1200, 1800, 'Prompt']);
  assert.deepEqual(info.ignored, ['another', 'negative_prompt']);
  const { family, params, images } = requestOf(body);
  assert.equal(family, 'self_prompt_v2');
  assert.deepEqual(params, { seed: 7, prompt: 'on a mountain', ratio: 'portrait' });
  assert.equal(images.length, 1);
  assert.equal(await account.credits(), credits - 2);
  const { body: job } = await account.call('GET', `/v1/jobs/${info.job_id}`);
  assert.equal(job.status, 'COMPLETED');
});

test('width and height choose the nearest ratio, and a seed of -1 is any seed', async () => {
  const seeds = new Set<number>();
  for (const [width, height, ratio] of [
    [512, 512, 'square'],
    [1024, 576, 'landscape'],
    [576, 1024, 'portrait'],
  ] as const) {
    const { body } = await ask({ prompt: 'snow', width, height });
    assert.equal((requestOf(body).params as { ratio: string }).ratio, ratio);
    seeds.add(JSON.parse(body.info).seed);
  }
  assert.equal(seeds.size, 3);
});

test('a style or a checkpoint names a filter by id, title or name, of any catalog', async () => {
  const { body: models } = await account.call('GET', '/sdapi/v1/sd-models');
  assert.deepEqual(Object.keys(models[0]), ['title', 'model_name', 'hash', 'sha256', 'filename', 'config']);
  assert.equal(new Set(models.map(({ title }: { title: string }) => title)).size, models.length);
  const titleOf = (key: string) =>
    models.find(({ model_name }: { model_name: string }) => model_name === key).title as string;
  assert.match(titleOf('12'), /^12 \S/);
  for (const [fields, family, ref] of [
    [{ styles: ['12'] }, 'face_swap_v1', '12'],
    [{ styles: [titleOf('12')] }, 'face_swap_v1', '12'],
    [{ styles: [titleOf('12').slice(3).toUpperCase()] }, 'face_swap_v1', '12'],
    [{ override_settings: { sd_model_checkpoint: 'HARBOUR' } }, 'multi_swap_v5', '25'],
    [{ styles: ['', titleOf('stylized 3')] }, 'stylized_multi_swap_v1', '3'],
    [{ styles: ['realistic 2'], override_settings: { sd_model_checkpoint: '12' } }, 'multi_swap_v5', '2'],
  ] as const) {
    const { status, body } = await ask({ ...fields, prompt: 'unused' });
    assert.equal(status, 200, JSON.stringify(fields));
    const made = requestOf(body);
    assert.deepEqual([made.family, made.filterRef], [family, ref], JSON.stringify(fields));
    assert.ok(JSON.parse(body.info).ignored.includes('prompt: a filter is named'));
  }
});

test('a custom filter and an alias are named by UUID or title', async () => {
  const make = async (filter_type: string) =>
    (
      await account.call('POST', '/v1/users/me/my-custom-filters', {
        name: 'Our hall',
        filter_type,
        definition: { kind: 'prompt', prompt: 'in a hall' },
      })
    ).body.id as string;
  const [face, multi] = [await make('face_swap'), await make('multi_swap')];
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: face })).body.id;
  for (const [style, family, ref] of [
    [face.toUpperCase(), 'face_swap_v1', face],
    [`Our hall [${face}]`, 'face_swap_v1', face],
    [multi, 'multi_swap_v5', multi],
    [alias, 'face_swap_v1', alias],
  ] as const) {
    const { status, body } = await ask({ styles: [style] });
    assert.equal(status, 200, style);
    const made = requestOf(body);
    assert.deepEqual([made.family, made.filterRef], [family, ref]);
  }
  assert.notEqual((await account.call('GET', `/api/alias/${alias}/`)).body.last_used, null);
  const stranger = await server.account();
  const refused = await ask({ styles: [face] }, stranger);
  assert.deepEqual([refused.status, refused.body.error_code], [422, 'WORKFLOW_FETCH_FAILED']);
});

test('the option sd_model_checkpoint holds for its key alone, until it is chosen anew', async () => {
  const options = '/sdapi/v1/options';
  const booth = await server.account();
  assert.equal((await booth.call('GET', options)).body.sd_model_checkpoint, 'Prompt');
  const chosen = await booth.call('POST', options, { sd_model_checkpoint: '12', eta_noise_seed_delta: 0 });
  assert.deepEqual([chosen.status, chosen.body], [200, null]);
  assert.match((await booth.call('GET', options)).body.sd_model_checkpoint, /^12 \S/);
  assert.equal(requestOf((await ask({}, booth)).body).filterRef, '12');

  const other = await booth.call('POST', '/v1/keys', { name: 'second booth' });
  const second = { 'x-api-key': other.body.secret };
  const answer = await request(server.url, 'GET', options, undefined, second);
  assert.equal(answer.body.sd_model_checkpoint, 'Prompt');

  const wrong = await booth.call('POST', options, { sd_model_checkpoint: 'v1-5-pruned.ckpt' });
  assert.deepEqual([wrong.status, wrong.body.error_code], [422, 'FILTER_NOT_FOUND']);
  assert.equal((await booth.call('POST', options, { sd_model_checkpoint: 'prompt' })).status, 200);
  assert.equal((await booth.call('GET', options)).body.sd_model_checkpoint, 'Prompt');
});

test('errors have a detail, and nothing is charged for them', async () => {
  const credits = await account.credits();
  for (const [fields, status, code] of [
    [{}, 422, 'VALIDATION_ERROR'],
    [{ prompt: 'snow', init_images: [] }, 422, 'VALIDATION_ERROR'],
    [{ prompt: 'snow', init_images: ['bm90IGFuIGltYWdl'] }, 400, 'INVALID_IMAGE'],
    [{ styles: ['nothing of this name'] }, 422, 'FILTER_NOT_FOUND'],
    [{ styles: ['999999'] }, 422, 'FILTER_NOT_FOUND'],
    [{ styles: ['12 Northern lights'] }, 422, 'FILTER_NOT_FOUND'],
  ] as const) {
    const answer = await ask(fields);
    assert.deepEqual([answer.status, answer.body.error_code], [status, code], JSON.stringify(fields));
    assert.equal(typeof answer.body.detail, 'string');
  }
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const failed = await ask({ prompt: 'snow' });
  assert.deepEqual([failed.status, failed.body.error_code], [422, 'JOB_FAILED']);
  assert.equal(failed.body.detail, 'No face was found in the photo.');
  assert.equal(await account.credits(), credits);
});

test('a key is taken as the password of basic authentication, on these paths alone', async () => {
  for (const headers of [basic('booth', account.api_key), basic('', account.access_token)])
    assert.equal((await request(server.url, 'GET', '/sdapi/v1/samplers', undefined, headers)).status, 200);
  const elsewhere = await request(
    server.url,
    'GET',
    '/v6/filters',
    undefined,
    basic('booth', account.api_key),
  );
  assert.equal(elsewhere.status, 401);
  for (const headers of [{}, basic('booth', 'wrong'), { authorization: 'Basic !' }]) {
    const refused = await request(server.url, 'GET', '/sdapi/v1/samplers', undefined, headers);
    assert.deepEqual([refused.status, refused.body.error_code], [401, 'UNAUTHORIZED']);
    assert.match(refused.headers.get('www-authenticate')!, /^Basic/);
  }
});

test('the call in the quickstart saves the picture, or ends with 1 and the reason', async (t) => {
  const guide = new URL('../../../../../docs/quickstart-booth-software.md', import.meta.url);
  const [, call] = /```sh\n(printf[^`]*)```/.exec(readFileSync(guide, 'utf8'))!;
  const cwd = mkdtempSync(join(tmpdir(), 'guise-quickstart-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'guest.jpg'), Buffer.from(photo, 'base64'));
  const runCall = (key: string) =>
    promisify(execFile)('sh', ['-c', call!], {
      cwd,
      env: { ...process.env, GUISE_URL: server.url, GUISE_API_KEY: key },
    });
  await assert.rejects(runCall('wrong'), (error: { code: number; stderr: string }) => {
    assert.deepEqual([error.code, existsSync(join(cwd, 'picture.png'))], [1, false]);
    return error.stderr.includes('Valid credentials are required');
  });
  await runCall(account.api_key);
  assert.deepEqual(readFileSync(join(cwd, 'picture.png')), tinyPng);
});

test('a call that is repeated with its Idempotency-Key gives the same picture and is charged once', async () => {
  const headers = { 'idempotency-key': 'booth-1-photo-17' };
  const credits = await account.credits();
  const first = await ask({ prompt: 'snow' }, account, headers);
  const again = await ask({ prompt: 'snow' }, account, headers);
  assert.equal(first.status, 200);
  assert.deepEqual(again.body, first.body);
  assert.equal(await account.credits(), credits - 2);
});

test('progress is that of the caller’s running job, and nothing when none is', async () => {
  const progress = async () => (await account.call('GET', '/sdapi/v1/progress')).body;
  const idle = await progress();
  assert.deepEqual([idle.progress, idle.state.job_count], [0, 0]);
  const gate = door();
  server.engine.before = gate.work;
  const answer = ask({ prompt: 'snow' });
  await gate.reached;
  assert.equal((await progress()).state.job_count, 1);
  gate.open();
  assert.equal((await answer).status, 200);
});

test('txt2img makes a picture of a prompt without a photo, and says that a filter takes one', async () => {
  const txt2img = '/sdapi/v1/txt2img';
  const { init_images: _, ...fields } = { ...usual, prompt: 'a castle', seed: 9, width: 1024, height: 576 };
  const { status, body } = await account.call('POST', txt2img, fields);
  assert.equal(status, 200);
  assert.deepEqual(body.images, [tinyPng.toString('base64')]);
  assert.ok(!('init_images' in body.parameters));
  const { family, params, images } = requestOf(body);
  assert.deepEqual([family, images.length], ['self_prompt_v2', 0]);
  assert.deepEqual(params, { seed: 9, prompt: 'a castle', ratio: 'landscape' });
  const filter = await account.call('POST', txt2img, { ...fields, styles: ['12'] });
  assert.deepEqual([filter.status, filter.body.fields[0].path], [422, 'init_images']);
});

test('interrupt cancels the running job of its key, not of others, and the credits come back', async () => {
  const credits = await account.credits();
  const gate = door();
  server.engine.before = gate.work;
  const answer = ask({ prompt: 'snow' });
  await gate.reached;
  const other = (await account.call('POST', '/v1/keys', { name: 'second booth' })).body.secret;
  const interrupt = (key: string) =>
    account.call('POST', '/sdapi/v1/interrupt', undefined, { 'x-api-key': key });
  assert.equal((await interrupt(other)).body, null);
  assert.equal((await account.call('GET', '/sdapi/v1/progress')).body.state.job_count, 1);
  assert.equal((await interrupt(account.api_key)).body, null);
  const { status, body } = await answer;
  gate.open();
  assert.deepEqual([status, body.error_code, body.detail], [422, 'JOB_FAILED', 'The job was cancelled.']);
  assert.equal(await account.credits(), credits);
  assert.equal((await interrupt(account.api_key)).status, 200);
});

test('a call that waits for its picture leaves the room of its body to others', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 400, height: 400, channels: 3, background: '#000', noise } as const;
  const large = (await sharp({ create }).jpeg().toBuffer()).toString('base64');
  // An account has half of the room: one such body, and not two.
  const crowded = await startTestServer({ maxBytesInFlight: 3 * large.length });
  try {
    const gate = door();
    crowded.engine.before = gate.work;
    const guest = await crowded.account();
    const answers = [1, 2].map(() => ask({ prompt: 'snow', init_images: [large] }, guest));
    await until(async () => crowded.engine.requests.length === 2, 8000);
    gate.open();
    for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
  } finally {
    await crowded.stop();
  }
});

test('a server that stops answers a call that waits with the id of its job', async () => {
  const stopping = await startTestServer();
  const gate = door();
  stopping.engine.before = gate.work;
  const guest = await stopping.account();
  const answer = ask({ prompt: 'snow' }, guest);
  await until(async () => stopping.engine.requests.length === 1);
  // The call waits from here on.
  assert.equal(await Promise.race([answer, sleep(50, 'waits')]), 'waits');
  const stopped = stopping.stop();
  const { status, body } = await answer;
  gate.open();
  await stopped;
  assert.deepEqual([status, body.error_code], [503, 'JOB_NOT_ENDED']);
  assert.ok(body.detail.includes(stopping.engine.requests[0]!.jobId));
});
