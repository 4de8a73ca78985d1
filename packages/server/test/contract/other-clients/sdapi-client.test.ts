import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { StableDiffusionApi } from 'a1111-webui-api';
import sharp from 'sharp';
import { cannotMake } from '../../../src/engines/engine.ts';
import { photo, startTestServer, type TestAccount, type TestServer } from '../../support/harness.ts';
import { door, tinyPng } from '../../support/test-engine.ts';

// A client of AUTOMATIC1111's web UI from npm against /sdapi/v1, with the key as its password.

let server: TestServer;
let account: TestAccount;
let webUi: StableDiffusionApi;
before(async () => {
  server = await startTestServer();
  account = await server.account();
  webUi = clientOf(account.api_key);
});
after(() => server.stop());
beforeEach(() => {
  server.engine.before = async () => {};
});

const clientOf = (key: string) => new StableDiffusionApi({ baseUrl: server.url }).setAuth('booth', key);
const guest = () => sharp(Buffer.from(photo, 'base64'));
const requestOf = ({ info }: { info: string }) =>
  server.engine.requests.find(({ jobId }) => jobId === JSON.parse(info).job_id)!;
const madeSize = async () => {
  const { width, height } = await sharp(tinyPng).metadata();
  return [width, height];
};

/** What the client throws: axios keeps the answer. */
interface Refusal {
  response: { status: number; data: { error_code: string; detail: string } };
}
const isRefused = (status: number, code: string) => (error: Refusal) => {
  assert.deepEqual([error.response.status, error.response.data.error_code], [status, code]);
  assert.equal(typeof error.response.data.detail, 'string');
  return true;
};

test('txt2img makes a picture of a prompt, in what the client always sends', async () => {
  const credits = await account.credits();
  const result = await webUi.txt2img({
    prompt: 'a castle',
    negative_prompt: 'rain',
    width: 1024,
    height: 576,
  });
  assert.equal(result.images.length, 1);
  const { width, height } = await result.image.metadata();
  assert.deepEqual([width, height], await madeSize());
  assert.equal(result.parameters.sampler_name, 'Euler a');
  const { family, params, images } = requestOf(result);
  assert.deepEqual([family, images.length], ['self_prompt_v2', 0]);
  const { seed, ...rest } = params as Record<string, unknown>;
  assert.deepEqual(rest, { prompt: 'a castle', ratio: 'landscape' });
  assert.equal(JSON.parse(result.info).seed, seed);
  assert.equal(await account.credits(), credits - 2);
});

test('img2img makes a picture of a photo with a filter as a style, and of a photo with a prompt', async () => {
  const styled = await webUi.img2img({ init_images: [guest()], styles: ['12'], width: 512, height: 768 });
  const { width, height } = await styled.image.metadata();
  assert.deepEqual([width, height], await madeSize());
  const filtered = requestOf(styled);
  assert.deepEqual([filtered.family, filtered.filterRef], ['face_swap_v1', '12']);
  assert.equal(JSON.parse(styled.info).width, 1200);
  const prompted = requestOf(await webUi.img2img({ init_images: [guest()], prompt: 'on a boat' }));
  assert.deepEqual([prompted.family, prompted.images.length], ['self_prompt_v2', 1]);
});

test('setModel chooses the filter of later calls, by its id or by a text that is like one', async () => {
  const booth = clientOf((await server.account()).api_key);
  assert.equal(await booth.getCurrentModel(), 'Prompt');
  await booth.setModel('stylized 3');
  assert.match(await booth.getCurrentModel(), /^stylized 3 \S/);
  const { family, filterRef } = requestOf(await booth.img2img({ init_images: [guest()] }));
  assert.deepEqual([family, filterRef], ['stylized_multi_swap_v1', '3']);
  await booth.setModel('Promt');
  // As clients do that read all options, change one and send all.
  await booth.setOptions({ ...(await booth.getOptions()), CLIP_stop_at_last_layers: 2 });
  assert.equal(await booth.getCurrentModel(), 'Prompt');
  await assert.rejects(booth.setModel('v1-5-pruned-emaonly.ckpt'), /Model not found/);
  await assert.rejects(
    booth.setOptions({ sd_model_checkpoint: 'v1-5-pruned-emaonly.ckpt' }),
    isRefused(422, 'FILTER_NOT_FOUND'),
  );
});

test('everything that the client can read is answered in the shape of its types', async () => {
  const models = await webUi.getSdModels();
  assert.deepEqual([models[0]?.title, models[0]?.model_name], ['Prompt', 'Prompt']);
  assert.ok(models.some(({ model_name }) => model_name === '12'));
  const styles = await webUi.getPromptStyles();
  assert.deepEqual(
    styles.map(({ name }) => name),
    models.map(({ title }) => title),
  );
  assert.deepEqual((await webUi.getSamplers())[0]?.aliases, ['automatic']);
  assert.equal((await webUi.getUpscalers())[0]?.name, 'None');
  assert.deepEqual(await webUi.getHypernetworks(), []);
  assert.deepEqual(await webUi.getFaceRestorers(), []);
  assert.deepEqual(await webUi.getRealesrganModels(), []);
  assert.equal((await webUi.getCmdFlags()).api, true);
  await webUi.refreshCheckpoints();
  assert.equal(await webUi.waitForReady(0.001), true);
});

test('what the client has no method for is answered to its own connection', async () => {
  const read = async (path: string) => (await webUi.api.get(`/sdapi/v1/${path}`)).data;
  assert.equal((await read('schedulers'))[0].name, 'automatic');
  for (const path of ['sd-vae', 'loras', 'latent-upscale-modes', 'script-info'])
    assert.deepEqual(await read(path), [], path);
  assert.deepEqual(await read('scripts'), { txt2img: [], img2img: [] });
  assert.deepEqual(await read('embeddings'), { loaded: {}, skipped: {} });
  const { ram } = await read('memory');
  assert.equal(ram.free + ram.used, ram.total);
});

test('progress counts the job that is made, and interrupt ends it without a charge', async () => {
  const credits = await account.credits();
  const gate = door();
  server.engine.before = gate.work;
  const answer = webUi.txt2img({ prompt: 'a castle' });
  const ended = assert.rejects(answer, isRefused(422, 'JOB_FAILED'));
  await gate.reached;
  assert.equal((await webUi.getProgress(true)).state.job_count, 1);
  assert.equal((await webUi.api.post('/sdapi/v1/interrupt')).data, null);
  await ended;
  gate.open();
  assert.deepEqual([(await webUi.getProgress()).state.job_count, await account.credits()], [0, credits]);
});

test('what is refused reaches the client with its status and a sentence', async () => {
  await assert.rejects(clientOf('wrong').getOptions(), isRefused(401, 'UNAUTHORIZED'));
  await assert.rejects(
    new StableDiffusionApi({ baseUrl: server.url }).getSamplers(),
    isRefused(401, 'UNAUTHORIZED'),
  );
  await assert.rejects(webUi.txt2img({ prompt: '' }), isRefused(422, 'VALIDATION_ERROR'));
  await assert.rejects(
    webUi.txt2img({ prompt: 'a castle', styles: ['12'] }),
    isRefused(422, 'VALIDATION_ERROR'),
  );
  await assert.rejects(webUi.pngInfo(guest()), isRefused(404, 'NOT_FOUND'));
  await assert.rejects(webUi.extraSingle({ image: guest() }), isRefused(404, 'NOT_FOUND'));
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  await assert.rejects(
    webUi.img2img({ init_images: [guest()], styles: ['12'] }),
    isRefused(422, 'JOB_FAILED'),
  );
});
