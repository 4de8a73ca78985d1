import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { cannotMake } from '../../../src/engines/engine.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import { tinyPng } from '../../support/test-engine.ts';

// OpenAI's own library from npm against the image endpoints below /openai/v1.

let server: TestServer;
let account: TestAccount;
let openai: OpenAI;
before(async () => {
  server = await startTestServer();
  account = await server.account();
  openai = clientOf(account.api_key);
});
after(() => server.stop());
beforeEach(() => {
  server.engine.before = async () => {};
  server.engine.result = null;
});

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/openai/v1` });
const guest = (name = 'guest.jpg') => toFile(Buffer.from(photo, 'base64'), name, { type: 'image/jpeg' });
const made = tinyPng.toString('base64');
/** What programs send without being asked. */
const usual = { quality: 'high', background: 'auto', user: 'booth' } as const;

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The requests that the engine gets while a call is made. */
async function requestsOf<T>(call: () => Promise<T>) {
  const from = server.engine.requests.length;
  const answer = await call();
  return { answer, requests: server.engine.requests.slice(from) };
}

test('images.edit with a photo and a prompt is a self-prompt, answered with the picture', async () => {
  const credits = await account.credits();
  const image = await guest();
  const { answer, requests } = await requestsOf(() =>
    openai.images.edit({
      ...usual,
      image,
      prompt: ' on a mountain ',
      model: 'gpt-image-1',
      size: '1024x1536',
    }),
  );
  assert.deepEqual(
    answer.data?.map(({ b64_json }) => b64_json),
    [made],
  );
  assert.deepEqual([answer.output_format, answer.size], ['png', '1200x1800']);
  assert.ok(answer.created > 1_700_000_000);
  const [{ applied, ignored }] = answer.data as unknown as [{ applied: string[]; ignored: string[] }];
  assert.deepEqual([applied, ignored], [['a thing'], ['another']]);
  const [{ family, params, images }] = requests as [(typeof requests)[0]];
  assert.deepEqual([family, images.length], ['self_prompt_v2', 1]);
  assert.deepEqual({ ...params, seed: 0 }, { seed: 0, prompt: 'on a mountain', ratio: 'portrait' });
  assert.equal(await account.credits(), credits - 2);
});

test('images.edit with two photos and a prompt puts both into one picture', async () => {
  const image = [await guest('one.jpg'), await guest('two.jpg')];
  const { answer, requests } = await requestsOf(() =>
    openai.images.edit({ image, prompt: 'in a boat', model: 'gpt-image-1' }),
  );
  assert.equal(answer.data?.[0]?.b64_json, made);
  assert.deepEqual([requests[0]?.family, requests[0]?.images.length], ['multi_swap_self_prompt_v5', 2]);
});

test('a filter, a style and an alias are models by id, name, first words and project', async () => {
  const custom = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Our hall',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'in a hall' },
  });
  // Its preview is made by the same engine.
  const filters = '/v1/users/me/my-custom-filters';
  await until(async () => (await account.call('GET', filters)).body[0].preview_images.length > 0);
  const alias = await account.call('POST', '/api/alias/', { ai_filter: custom.body.id, project: 'Gala' });
  for (const [model, family, ref] of [
    ['12', 'face_swap_v1', '12'],
    ['12 Knight of the great hall', 'face_swap_v1', '12'],
    ['harbour', 'multi_swap_v5', '25'],
    ['stylized 3', 'stylized_multi_swap_v1', '3'],
    ['Our hall', 'face_swap_v1', custom.body.id],
    ['gala', 'face_swap_v1', alias.body.id],
    [`Gala [${alias.body.id}]`, 'face_swap_v1', alias.body.id],
  ] as const) {
    const image = await guest();
    const { requests } = await requestsOf(() => openai.images.edit({ image, model, prompt: 'unused' }));
    assert.deepEqual([requests[0]?.family, requests[0]?.filterRef], [family, ref], model);
  }
  // The same id wherever a model is shown.
  const listed = (await collect(openai.models.list())).map(({ id }) => id);
  assert.ok(listed.includes(`Gala [${alias.body.id}]`));
  for (const name of ['gala', alias.body.id as string])
    assert.equal((await openai.models.retrieve(name)).id, `Gala [${alias.body.id}]`);
  await assert.rejects(
    openai.images.edit({ image: await guest(), model: '12 Northern lights', prompt: '-' }),
    /The filter 12 has another name: Knight of the great hall\. GET \/openai\/v1\/models lists all filters\./,
  );
});

test('an edit that is no form is refused by what it should be', async () => {
  const { status, body } = await account.call('POST', '/openai/v1/images/edits', {
    image: photo,
    prompt: 'x',
  });
  assert.deepEqual([status, body.error.message], [400, 'The body must be a form (multipart/form-data).']);
});

test('models.list names everything that can be a model, and models.retrieve finds each', async () => {
  const models = (await collect(openai.models.list())).map(({ id }) => id);
  assert.equal(new Set(models).size, models.length);
  assert.equal(models[0], 'prompt');
  const knight = models.find((id) => id.startsWith('12 '))!;
  assert.equal((await openai.models.retrieve(knight)).id, knight);
  assert.equal(
    (await openai.models.retrieve('stylized 3')).id,
    models.find((id) => id.startsWith('stylized 3 ')),
  );
  assert.equal((await openai.models.retrieve('dall-e-3')).id, 'dall-e-3');
  await assert.rejects(openai.models.retrieve('nothing of this name'), OpenAI.NotFoundError);
});

test('images.generate makes pictures without a photo, n of them with other seeds, each paid for', async () => {
  const credits = await account.credits();
  const { answer, requests } = await requestsOf(() =>
    openai.images.generate({
      ...usual,
      prompt: 'a castle',
      n: 3,
      size: '1792x1024',
      model: 'dall-e-3',
      response_format: 'b64_json',
    }),
  );
  assert.deepEqual(
    answer.data?.map(({ b64_json }) => b64_json),
    [made, made, made],
  );
  assert.ok(requests.every(({ family, images }) => family === 'self_prompt_v2' && images.length === 0));
  const seeds = requests.map(({ params }) => (params as { seed: number }).seed);
  assert.equal(new Set(seeds).size, 3);
  assert.equal((requests[0]!.params as { ratio: string }).ratio, 'landscape');
  assert.equal(await account.credits(), credits - 6);
  await assert.rejects(openai.images.generate({ prompt: 'a castle', model: '12' }), OpenAI.BadRequestError);
});

test('url is a link to the PNG, which dall-e-2 has where nothing is asked for; jpeg is encoded', async () => {
  for (const options of [{ response_format: 'url' as const }, { model: 'dall-e-2' }]) {
    const { data } = await openai.images.generate({ prompt: 'a castle', ...options });
    assert.deepEqual(Buffer.from(await (await fetch(data![0]!.url!)).arrayBuffer()), tinyPng);
  }
  server.engine.result = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#468' } })
    .png()
    .toBuffer();
  for (const output_format of ['jpeg', 'webp'] as const) {
    const answer = await openai.images.generate({ prompt: 'a castle', model: 'gpt-image-1', output_format });
    assert.equal(answer.output_format, output_format);
    const { format, width } = await sharp(Buffer.from(answer.data![0]!.b64_json!, 'base64')).metadata();
    assert.deepEqual([format, width], [output_format, 20]);
  }
});

test('stream gives the event of each finished picture, or the error', async () => {
  const image = await guest();
  const edits = await openai.images.edit({ image, prompt: 'snow', stream: true, partial_images: 2 });
  const events = await collect(edits);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['image_edit.completed'],
  );
  assert.equal(events[0]!.b64_json, made);
  const generations = await openai.images.generate({ prompt: 'snow', n: 2, stream: true });
  const types = (await collect(generations)).map(({ type }) => type);
  assert.deepEqual(types, ['image_generation.completed', 'image_generation.completed']);
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const failing = await openai.images.generate({ prompt: 'snow', stream: true });
  await assert.rejects(collect(failing), /No face was found/);
});

test('where some of n fail, the answer has the others and says why', async () => {
  const credits = await account.credits();
  let runs = 0;
  server.engine.before = async () => {
    if (++runs === 2) throw cannotMake('No face was found in the photo.');
  };
  const some = await openai.images.generate({ prompt: 'snow', n: 3, model: 'gpt-image-1' });
  assert.equal(some.data?.length, 2);
  const { failed } = some as unknown as { failed: object[] };
  assert.deepEqual(failed, [{ message: 'No face was found in the photo.', code: 'job_failed' }]);
  assert.equal(await account.credits(), credits - 4);

  const poor = await server.account(5);
  const two = await clientOf(poor.api_key).images.generate({ prompt: 'snow', n: 3, model: 'gpt-image-1' });
  assert.equal(two.data?.length, 2);
  assert.equal(await poor.credits(), 1);
});

test('errors are exceptions of the right class, and nothing is sent twice for them', async () => {
  const image = await guest();
  const edit = (fields: object, client = openai) =>
    client.images.edit({ image, prompt: 'snow', ...fields } as Parameters<typeof client.images.edit>[0]);
  const codeOf = (kind: typeof OpenAI.APIError, code: string, param: string | null) => (error: unknown) => {
    assert.ok(error instanceof kind, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    assert.ok(error.requestID);
    return true;
  };
  const poor = await server.account(1);
  const reader = (await account.call('POST', '/v1/keys', { name: 'reader', scopes: ['read'] })).body.secret;
  const from = server.engine.requests.length;
  const text = await toFile(Buffer.from('text'), 'x.png');
  for (const [call, kind, code, param] of [
    [() => edit({}, clientOf('wrong')), OpenAI.AuthenticationError, 'invalid_api_key', null],
    [() => edit({}, clientOf(reader)), OpenAI.PermissionDeniedError, 'scope_missing', null],
    [() => edit({}, clientOf(poor.api_key)), OpenAI.RateLimitError, 'insufficient_quota', null],
    [() => edit({ model: 'no such filter' }), OpenAI.NotFoundError, 'model_not_found', 'model'],
    [() => edit({ image: text }), OpenAI.BadRequestError, 'invalid_image', null],
    [() => edit({ n: 11 }), OpenAI.BadRequestError, 'validation_error', 'n'],
    [() => edit({ size: 'large' }), OpenAI.BadRequestError, 'validation_error', 'size'],
    [() => edit({ mask: image }), OpenAI.BadRequestError, 'validation_error', 'mask'],
    [() => edit({ model: '12', image: [image, image] }), OpenAI.BadRequestError, 'validation_error', 'image'],
    [() => openai.images.createVariation({ image }), OpenAI.NotFoundError, 'not_found', null],
  ] as const)
    await assert.rejects(call, codeOf(kind as typeof OpenAI.APIError, code, param));
  assert.equal(server.engine.requests.length, from);
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  await assert.rejects(
    edit({}),
    codeOf(OpenAI.BadRequestError as typeof OpenAI.APIError, 'job_failed', null),
  );
  assert.equal(server.engine.requests.length, from + 1);
});

test('a stranger finds no filter, alias or picture of another account, and pays for nothing', async () => {
  const definition = { kind: 'prompt', prompt: 'a quiet place' };
  const body = { name: 'Ours alone', filter_type: 'face_swap', definition };
  const { id } = (await account.call('POST', '/v1/users/me/my-custom-filters', body)).body;
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id, project: 'Our stage' })).body.id;
  const stranger = await server.account();
  const theirs = clientOf(stranger.api_key);
  const credits = await stranger.credits();
  const image = await guest();
  const from = server.engine.requests.length;
  for (const model of [id, alias, 'Ours alone', 'Our stage']) {
    await assert.rejects(theirs.images.edit({ image, prompt: '', model }), OpenAI.NotFoundError, model);
    await assert.rejects(theirs.models.retrieve(model), OpenAI.NotFoundError, model);
  }
  const listed = (await theirs.models.list()).data.map((model) => model.id);
  assert.ok(![id, alias].some((one) => listed.includes(one)));
  assert.equal(await stranger.credits(), credits);

  const spent = (await account.call('POST', '/v1/keys', { name: 'spent', budget: 1 })).body.secret;
  await assert.rejects(clientOf(spent).images.edit({ image, prompt: 'snow' }), OpenAI.RateLimitError);
  for (const path of ['images/generations', 'models', `models/${id}`]) {
    const method = path.startsWith('images') ? 'POST' : 'GET';
    const answer = await fetch(`${server.url}/openai/v1/${path}`, { method });
    assert.equal(answer.status, 401, path);
    assert.deepEqual(Object.keys((await answer.json()) as object), ['error'], path);
  }
  assert.deepEqual(
    server.engine.requests.slice(from).filter(({ jobId }) => !jobId.startsWith('preview')),
    [],
  );
});

test('a call that is repeated with its Idempotency-Key is charged once, though its boundary differs', async () => {
  const credits = await account.credits();
  const edit = async () =>
    openai.images.edit(
      { image: await guest(), prompt: 'snow', n: 2 },
      { headers: { 'idempotency-key': 'booth-1-photo-18' } },
    );
  const [first, again] = [await edit(), await edit()];
  assert.deepEqual({ ...again, created: 0 }, { ...first, created: 0 });
  assert.equal(await account.credits(), credits - 4);
});
