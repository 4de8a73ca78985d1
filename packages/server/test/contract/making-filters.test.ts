import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import sharp from 'sharp';
import { createEngines } from '../../src/engines/engines.ts';
import { photo, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';
import { door, testEngine, tinyPng } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ testsPerMinute: 0 });
  account = await server.account();
});
beforeEach(() => {
  server.engine.requests = [];
});
after(() => server.stop());

interface Option {
  name: string;
  title: string;
  preview_url: string;
  modes: string[];
}

test('the options of filters are those that definitions may name, each with a picture that is served', async () => {
  const { status, body } = await account.call('GET', '/v1/filter_options');
  assert.equal(status, 200);
  const lists = ['scenes', 'costumes', 'looks', 'lights', 'weathers', 'palettes'];
  assert.deepEqual(Object.keys(body), [...lists, 'kinds']);
  const scene = body.scenes.find((option: Option) => option.name === 'alpine-lake');
  assert.deepEqual([scene.title, scene.modes], ['Mountain lake at first light', ['single', 'group']]);
  assert.deepEqual(body.costumes[0].modes, ['single', 'group']);
  assert.equal(body.lights.find((option: Option) => option.name === 'golden-hour').title, 'Golden hour');
  const pictures = new Set<string>();
  for (const option of lists.flatMap((list) => body[list] as Option[])) {
    const picture = await fetch(option.preview_url);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
    pictures.add(Buffer.from(await picture.arrayBuffer()).toString('base64'));
  }
  const count = lists.flatMap((list) => body[list]).length;
  assert.ok(pictures.size >= count - 3, `${pictures.size} different pictures of ${count}`);
  assert.deepEqual(
    body.kinds.map(({ name, filter_types }: { name: string; filter_types: string[] }) => [
      name,
      filter_types,
    ]),
    [
      ['scene', ['face_swap', 'multi_swap']],
      ['prompt', ['face_swap', 'multi_swap']],
      ['template', ['face_swap']],
      ['workflow', ['face_swap', 'multi_swap']],
    ],
  );
  const definition = {
    kind: 'scene',
    scene: body.scenes[3].name,
    costume: body.costumes[2].name,
    look: body.looks[4].name,
    light: body.lights[1].name,
    weather: body.weathers[2].name,
    palette: body.palettes[3].name,
  };
  const filter = { name: 'All', filter_type: 'face_swap', definition };
  assert.equal((await account.call('POST', '/v1/users/me/my-custom-filters', filter)).status, 201);
  for (const path of ['options/scenes/nowhere.webp', 'options/hats/x.webp', 'options/__proto__/x.webp']) {
    assert.equal((await fetch(`${server.url}/previews/${path}`)).status, 404);
  }
});

test('a prompt is completed with words that the engine understands, and with none that lead nowhere', async () => {
  const suggest = async (q: string, limit = 5) => {
    const query = new URLSearchParams({ q, limit: String(limit) });
    return (await account.call('GET', `/v1/prompt_suggestions?${query}`)).body.suggestions;
  };
  assert.deepEqual((await suggest('a knight in the gold'))[0], {
    text: 'golden hour',
    kind: 'light',
    value: 'golden-hour',
  });
  assert.deepEqual((await suggest('in watercol', 1))[0], {
    text: 'watercolour',
    kind: 'look',
    value: 'watercolour',
  });
  assert.deepEqual((await suggest('Pen and i'))[0], { text: 'pen and ink', kind: 'look', value: 'ink' });
  assert.equal((await suggest('space s'))[0].text, 'space station');
  assert.deepEqual(await suggest('cowbo'), []);
  assert.equal((await suggest('', 3)).length, 3);
  assert.equal((await account.call('GET', `/v1/prompt_suggestions?q=${'x'.repeat(201)}`)).status, 422);
});

test('a prompt is checked before its run is charged, where the local engine makes it', async (t) => {
  const check = async (caller: TestAccount, body: object) =>
    (await caller.call('POST', '/v1/prompt_checks', body)).body;
  const confetti = { family: 'single_frame_video', model: 'simple', prompt: 'zoom in, confetti falls' };
  assert.equal((await check(account, confetti)).read_by_words, false);

  const local = Object.assign(testEngine(), { name: 'local' });
  const other = await startTestServer({}, () => [local]);
  t.after(() => other.stop());
  const caller = await other.account();
  const read = await check(caller, confetti);
  assert.deepEqual(read.applied, ['camera: zoom in (zoom in)']);
  assert.deepEqual(read.ignored, [{ words: 'confetti falls', reason: 'not with the model simple' }]);
  assert.deepEqual((await check(caller, { ...confetti, model: 'advanced' })).ignored, []);
  const between = { family: 'first_last_frame_video', prompt: 'morph, she smiles' };
  assert.deepEqual((await check(caller, between)).ignored, [
    { words: 'smiles', reason: 'not between two frames' },
  ]);
  const words = { family: 'self_prompt_v2', prompt: 'under the northern lights with a zyxxy' };
  assert.deepEqual((await check(caller, words)).by_meaning, ['zyxxy']);
  const dragon = await check(caller, { family: 'self_prompt_v2', prompt: 'a dragon' });
  assert.deepEqual([dragon.applied, dragon.by_meaning], [[], []]);
  assert.deepEqual(dragon.ignored, [
    {
      words: 'dragon',
      reason: 'not in the catalog; the picture has the nearest scene instead, Castle terrace at blue hour',
    },
  ]);
  const refused = await caller.call('POST', '/v1/prompt_checks', { family: 'face_swap_v6', prompt: 'x' });
  assert.deepEqual([refused.status, refused.body.fields[0].path], [422, 'family']);
});

const draft = (definition: object, more = {}) => ({ filter_type: 'face_swap', definition, ...more });
const tryDraft = (body: object) => account.call('POST', '/v1/filter_drafts/test', body);

test('a draft is tried without being saved or charged, on the sample that is asked for', async () => {
  const credits = await account.credits();
  const scene = { kind: 'scene', scene: 'aurora', light: 'dusk' };
  const answer = await tryDraft(draft(scene, { sample: 'two_people', gender: 0 }));
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { images: [tinyPng.toString('base64')], applied: ['a thing'], ignored: ['another'] }],
  );
  const [request] = server.engine.requests;
  assert.deepEqual(
    [request?.filter, request?.family === 'face_swap_v6' && request.params.gender],
    [scene, 0],
  );
  assert.match(request!.images[0]!, /two-people\.jpg$/);
  await tryDraft({ ...draft(scene), filter_type: 'multi_swap', sample: 'one_person' });
  assert.equal(server.engine.requests[1]?.family, 'multi_swap_v5');
  assert.match(server.engine.requests[1]!.images[0]!, /astronaut\.jpg$/);
  assert.equal(await account.credits(), credits);
});

test('the photo of a draft is gone when the draft was tried, and when its caller hangs up', async () => {
  const drafted = draft({ kind: 'template', image: photo });
  let seen = '';
  server.engine.before = async ({ filter }) => {
    if (filter?.kind === 'template') seen = readFileSync(filter.image).toString('base64');
  };
  assert.equal((await tryDraft(drafted)).status, 200);
  assert.equal(seen, photo);
  const isDraft = (key: string) => key.startsWith('templates/');
  assert.deepEqual((await server.blobKeys()).filter(isDraft), []);

  const gate = door();
  server.engine.before = gate.work;
  const hangUp = new AbortController();
  const call = fetch(`${server.url}/v1/filter_drafts/test`, {
    method: 'POST',
    headers: { 'x-api-key': account.api_key },
    body: JSON.stringify(drafted),
    signal: hangUp.signal,
  });
  await gate.reached;
  assert.equal((await server.blobKeys()).filter(isDraft).length, 1);
  hangUp.abort();
  await assert.rejects(call);
  while ((await server.blobKeys()).some(isDraft)) await new Promise(setImmediate);
  server.engine.before = async () => {};
});

for (const [title, body, path] of [
  ['an unknown scene', draft({ kind: 'scene', scene: 'nowhere' }), 'definition.scene'],
  ['an unknown sample', draft({ kind: 'prompt', prompt: 'x' }, { sample: 'crowd' }), 'sample'],
  [
    'a template for groups',
    { ...draft({ kind: 'template', image: photo }), filter_type: 'multi_swap' },
    'definition.kind',
  ],
  [
    'two photos',
    draft({ kind: 'prompt', prompt: 'x' }, { sample: 'head', photo_id: crypto.randomUUID() }),
    'photo_id',
  ],
] as const) {
  test(`a draft with ${title} is refused at ${path}`, async () => {
    const answer = await tryDraft(body);
    assert.deepEqual([answer.status, answer.body.fields?.[0].path], [422, path]);
  });
}

test('a draft is tried on a photo of the caller’s sets and of the samples; another account’s is 404', async () => {
  const prompt = { kind: 'prompt', prompt: 'x' };
  const set = (await account.call('POST', '/v1/photo_sets', { name: 'Mine' })).body;
  const own = (await account.call('POST', `/v1/photo_sets/${set.id}/photos`, { image: photo })).body;
  const seen: number[] = [];
  server.engine.before = async ({ images }) => {
    seen.push(readFileSync(images[0]!).length);
  };
  const { photo_sets } = (await account.call('GET', '/v1/photo_sets')).body;
  const sample = photo_sets.find((entry: { read_only: boolean }) => entry.read_only).first_photos[0];
  for (const photo_id of [own.id, sample.id]) {
    assert.equal((await tryDraft(draft(prompt, { photo_id }))).status, 200);
  }
  server.engine.before = async () => {};
  assert.ok(seen.length === 2 && seen[0]! < 5000 && seen[1]! > 50_000, `${seen}`);
  const stranger = await server.account();
  const refused = await stranger.call('POST', '/v1/filter_drafts/test', draft(prompt, { photo_id: own.id }));
  assert.deepEqual([refused.status, refused.body.error_code], [404, 'PHOTO_NOT_FOUND']);
});

test('a template is checked by an engine, and its photo is kept nowhere', async () => {
  const checked = await account.call('POST', '/v1/template_checks', { image: photo });
  assert.deepEqual(
    [checked.status, checked.body],
    [
      200,
      {
        width: 48,
        height: 64,
        faces: [
          { x: 5, y: 6, width: 7, height: 8, lean: 0, warnings: [] },
          { x: 1, y: 2, width: 3, height: 4, lean: 0, warnings: ['too small'] },
        ],
        warnings: ['A sentence.'],
      },
    ],
  );
  const bad = await account.call('POST', '/v1/template_checks', { image: 'bm8=' });
  assert.deepEqual([bad.status, bad.body.error_code], [400, 'INVALID_IMAGE']);
  assert.deepEqual(
    (await server.blobKeys()).filter((key) => key.startsWith('templates/')),
    [],
  );
});

const filtersPath = '/v1/users/me/my-custom-filters';

test('a template whose faces cannot be replaced is refused at definition.image, and its photo is not kept', async (t) => {
  const { checkTemplate } = server.engine;
  t.after(() => Object.assign(server.engine, { checkTemplate }));
  const body = { name: 'Poster', filter_type: 'face_swap', definition: { kind: 'template', image: photo } };
  const saved = (await account.call('POST', filtersPath, body)).body;
  const kept = await server.blobKeys();
  const face = { x: 1, y: 2, width: 3, height: 4, lean: 0, warnings: ['turned away' as const] };
  for (const faces of [[], [face]]) {
    server.engine.checkTemplate = async () => ({ width: 48, height: 64, faces, warnings: [] });
    for (const refused of [
      await account.call('POST', filtersPath, body),
      await account.call('PATCH', `${filtersPath}/${saved.id}`, { definition: body.definition }),
    ]) {
      assert.deepEqual([refused.status, refused.body.error_code], [422, 'VALIDATION_ERROR']);
      assert.equal(refused.body.fields[0].path, 'definition.image');
    }
  }
  const isTemplate = (key: string) => key.startsWith('templates/');
  assert.deepEqual((await server.blobKeys()).filter(isTemplate), kept.filter(isTemplate));
  // Whatever is wrong with the engine is not the fault of the template.
  server.engine.checkTemplate = () => Promise.reject(new Error('the engine is gone'));
  assert.equal((await account.call('POST', filtersPath, body)).status, 201);
});

test('the local engine finds the faces of a template in a process of its own, and names a template without one', async () => {
  const real = await startTestServer({ concurrency: 1 }, (config) => createEngines(config, null));
  try {
    const caller = await real.account();
    const image = readFileSync(new URL('../../../../catalog/samples/two-people.jpg', import.meta.url));
    const { status, body } = await caller.call('POST', '/v1/template_checks', {
      image: image.toString('base64'),
    });
    assert.deepEqual([status, body.width, body.height, body.faces.length], [200, 1500, 1000, 2]);
    assert.deepEqual(
      body.faces.map((face: { warnings: string[] }) => face.warnings),
      [[], []],
    );
    const wall = await sharp({ create: { width: 1300, height: 1300, channels: 3, background: '#a08060' } })
      .jpeg()
      .toBuffer();
    const definition = { kind: 'template', image: wall.toString('base64') };
    const filter = { name: 'Wall', filter_type: 'face_swap', definition };
    const refused = await caller.call('POST', filtersPath, filter);
    assert.deepEqual([refused.status, refused.body.fields?.[0].path], [422, 'definition.image']);
    const tried = await caller.call('POST', '/v1/filter_drafts/test', draft(definition));
    assert.equal(tried.body.error, 'The picture of this filter shows no face. Choose another filter.');
  } finally {
    await real.stop();
  }
});

const workflowFile = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../catalog/workflows/${name}.json`, import.meta.url), 'utf8'))
    .definition;
const checkWorkflow = async (workflow: object) =>
  (await account.call('POST', '/v1/workflow_checks', { workflow })).body;

test('a workflow is described by its nodes, with the bindings that they suggest', async () => {
  const { workflow, bindings } = workflowFile('face-swap-instantid');
  const check = await checkWorkflow(workflow);
  assert.equal(check.nodes.length, Object.keys(workflow).length);
  const loader = check.nodes.find(({ type }: { type: string }) => type === 'LoadImage');
  assert.deepEqual(loader.inputs[0], { name: 'image', linked: false, value: 'example.png' });
  assert.deepEqual(check.bindings.photos, bindings.photos);
  assert.deepEqual(check.bindings.seed, bindings.seed);
  assert.equal(check.bindings.output, bindings.output);
  assert.deepEqual(check.bindings.prompt, [{ node: '6', input: 'text' }]);
  assert.deepEqual(check.problems, []);
});

test('what is wrong with a workflow is said in sentences', async () => {
  const editor = await checkWorkflow({ nodes: [], links: [] });
  assert.match(editor.problems[0], /Export \(API\)/);
  assert.deepEqual([editor.nodes, editor.bindings.output], [[], null]);
  const { workflow } = workflowFile('face-swap-instantid');
  const without = Object.fromEntries(
    Object.keys(workflow)
      .filter((id) => workflow[id].class_type !== 'LoadImage')
      .map((id) => [id, workflow[id]]),
  );
  assert.match((await checkWorkflow(without)).problems[0], /No node loads a photo/);
  const broken = structuredClone(workflow);
  delete broken['6'];
  assert.ok(
    (await checkWorkflow(broken)).problems.some((problem: string) => /links to node 6/.test(problem)),
  );
});
