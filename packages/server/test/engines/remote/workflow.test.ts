import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { families, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { createPromptWriter } from '../../../src/catalog/generator-prompt.ts';
import { nodeChecks } from '../../../src/engines/comfyui/known-nodes.ts';
import type { Servers } from '../../../src/engines/comfyui/servers.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { bind } from '../../../src/engines/workflow/bind.ts';
import { checkWorkflow } from '../../../src/engines/workflow/check.ts';
import { checkAgainstServer, type ObjectInfo } from '../../../src/engines/workflow/object-info.ts';
import { generatedSize, shapeOf } from '../../../src/engines/workflow/picture-shape.ts';
import { ownWorkflow, readWorkflowFile } from '../../../src/engines/workflow/workflow-file.ts';
import { updateCustomFilter } from '../../../src/store/filter-records.ts';
import { objectInfo } from '../../support/comfyui-nodes.ts';
import { referenceNodes } from '../../support/comfyui-reference-nodes.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../../support/remote.ts';

type Change = (definition: WorkflowDefinition) => void;
const changed = (change: Change) => {
  const definition = pictureWorkflow();
  change(definition);
  return definition;
};

/** What is wrong by itself: the place, and the words. */
const unsound: [string, Change, string, RegExp][] = [
  [
    'a link to nowhere',
    ({ workflow }) => {
      workflow['8']!.inputs.samples = ['77', 0];
    },
    'workflow.8.inputs.samples',
    /node 77, which is not there/,
  ],
  [
    'a preview for its output',
    ({ workflow }) => {
      workflow['9'] = {
        class_type: 'PreviewImage',
        inputs: { images: ['8', 0], filename_prefix: 'ComfyUI' },
      };
    },
    'bindings.output',
    /PreviewImage shows its result and does not save it/,
  ],
  [
    'a circle',
    ({ workflow }) => {
      workflow['5']!.inputs.image = ['8', 0];
    },
    'workflow.5',
    /circle/,
  ],
  [
    'a binding to no node',
    ({ bindings }) => {
      bindings.photos[0]!.node = '70';
    },
    'bindings.photos.0.node',
    /no node 70/,
  ],
  [
    'a binding to no input',
    ({ bindings }) => {
      bindings.seed![0]!.input = 'sede';
    },
    'bindings.seed.0.input',
    /KSampler\) has no input sede/,
  ],
  [
    'a binding over a link',
    ({ bindings }) => {
      bindings.seed![0]!.input = 'model';
    },
    'bindings.seed.0.input',
    /is linked/,
  ],
  [
    'an output that is not there',
    ({ bindings }) => {
      bindings.output = '99';
    },
    'bindings.output',
    /no node 99/,
  ],
  [
    'an output in the middle',
    ({ bindings }) => {
      bindings.output = '8';
    },
    'bindings.output',
    /not the end/,
  ],
  [
    'a binding to a node that does not lead to the output',
    ({ workflow, bindings }) => {
      workflow['20'] = { class_type: 'SaveImage', inputs: { images: ['21', 0], filename_prefix: 'x' } };
      workflow['21'] = { class_type: 'LoadImage', inputs: { image: 'example.png' } };
      bindings.template = [{ node: '21', input: 'image' }];
    },
    'bindings.template.0.node',
    /node 21 does not lead to node 9/,
  ],
  [
    'an output without a prefix',
    ({ workflow }) => void delete workflow['9']!.inputs.filename_prefix,
    'bindings.output',
    /filename_prefix/,
  ],
];

/** What a server would refuse. */
const unfit: [string, Change, string, RegExp][] = [
  [
    'a number out of its range',
    ({ workflow }) => {
      workflow['7']!.inputs.denoise = 99;
    },
    'workflow.7.inputs.denoise',
    /is 99, and must be at most 1/,
  ],
  [
    'a text for a number',
    ({ workflow }) => {
      workflow['7']!.inputs.steps = 'abc';
    },
    'workflow.7.inputs.steps',
    /takes INT, not "abc"/,
  ],
  [
    'a prompt that is bound to a number',
    ({ bindings }) => {
      bindings.prompt = [{ node: '7', input: 'steps' }];
    },
    'bindings.prompt.0',
    /takes INT, not a text/,
  ],
  [
    'a node it lacks',
    ({ workflow }) => {
      workflow['5']!.class_type = 'NoSuchNode';
    },
    'workflow.5.class_type',
    /has no node NoSuchNode/,
  ],
  [
    'a missing input',
    ({ workflow }) => void delete workflow['7']!.inputs.cfg,
    'workflow.7.inputs.cfg',
    /is required/,
  ],
  [
    'a file it lacks',
    ({ workflow }) => {
      workflow['1']!.inputs.ckpt_name = 'other.safetensors';
    },
    'workflow.1.inputs.ckpt_name',
    /does not have "other/,
  ],
  [
    'a choice of the new form it lacks',
    ({ workflow }) => {
      workflow['7']!.inputs.scheduler = 'magic';
    },
    'workflow.7.inputs.scheduler',
    /does not have "magic"/,
  ],
  [
    'a slot that is not there',
    ({ workflow }) => {
      workflow['8']!.inputs.vae = ['1', 7];
    },
    'workflow.8.inputs.vae',
    /output 7 of a node that has 3/,
  ],
  [
    'a link of the wrong type',
    ({ workflow }) => {
      workflow['8']!.inputs.vae = ['1', 0];
    },
    'workflow.8.inputs.vae',
    /takes VAE, not MODEL/,
  ],
];

describe('a workflow', () => {
  test('that is sound has nothing wrong, by itself and for a server that has its nodes', () => {
    assert.deepEqual(checkWorkflow(pictureWorkflow()), []);
    assert.deepEqual(checkAgainstServer(objectInfo() as ObjectInfo, pictureWorkflow()), []);
  });
  for (const [what, change, path, message] of unsound) {
    test(`with ${what} is refused at ${path}`, () => {
      const [problem] = checkWorkflow(changed(change));
      assert.equal(problem?.path, path);
      assert.match(problem.message, message);
    });
  }
  for (const [what, change, path, message] of unfit) {
    test(`with ${what} is refused at ${path} when the server says so`, () => {
      const definition = changed(change);
      assert.deepEqual(checkWorkflow(definition), []);
      const [problem] = checkAgainstServer(objectInfo() as ObjectInfo, definition);
      assert.equal(problem?.path, path);
      assert.match(problem.message, message);
    });
  }
});

test('a loader whose folder is empty lacks every file, a text that reads as a number is one', () => {
  const { definition } = readWorkflowFile(ownWorkflow('self-prompt-flux'));
  const found = checkAgainstServer(referenceNodes([]), definition);
  assert.deepEqual(
    found.map(({ node, type, input, missing }) => ({ node, type, input, missing })),
    [
      {
        node: '1',
        type: 'CheckpointLoaderSimple',
        input: 'ckpt_name',
        missing: 'flux1-schnell-fp8.safetensors',
      },
    ],
  );
  definition.workflow['5']!.inputs.steps = '4';
  assert.deepEqual(checkAgainstServer(referenceNodes(), definition), []);
});

test('a caller’s workflow is fine when one of the servers has what it needs', async () => {
  const server = (url: string, info: ObjectInfo | null) => ({
    url,
    circuit: { state: () => 'up' },
    client: { objectInfo: () => (info ? Promise.resolve(info) : Promise.reject(new Error('gone'))) },
  });
  const checkWith = (...infos: (ObjectInfo | null)[]) => {
    const list = infos.map((info, i) => server(`http://gpu-${i}`, info));
    return nodeChecks({ list: () => list } as unknown as Servers)(pictureWorkflow());
  };
  const full = objectInfo() as ObjectInfo;
  const { KSampler: _, ...poor } = full;
  assert.deepEqual(await checkWith({}, poor, full), []);
  assert.deepEqual(
    (await checkWith({}, null, poor)).map(({ path }) => path),
    ['workflow.7.class_type'],
  );
  assert.deepEqual(await checkWith(null), []);
});

describe('the shape of a result', () => {
  const motion = { prompt: 'zoom in', model: 'performance' };
  const shape = (family: string, params: object, width = 3, height = 4) =>
    shapeOf(parseRequest(family, params, null), { width, height });

  test('is the ratio asked for, or the one nearest to the photo', () => {
    assert.deepEqual(shape('face_swap_v6', { gender: 1, ratio: 'landscape' }), {
      width: 1800,
      height: 1200,
      type: 'image/png',
      exact: true,
      seconds: null,
    });
    assert.equal(shape('multi_swap_v5', { outpaint: true }).width, 1200);
    assert.equal(shape('multi_swap_v5', { outpaint: true }, 101, 100).width, 1280);
  });
  test('of a video has the contract’s sizes and seconds', () => {
    assert.deepEqual(
      shape('single_frame_video', { ...motion, aspect_ratio: 'auto', duration: '6s' }, 1600, 900),
      {
        width: 1280,
        height: 720,
        type: 'video/mp4',
        exact: false,
        seconds: 6,
      },
    );
    assert.equal(
      shape('single_frame_video', { ...motion, aspect_ratio: '2:3', duration: '4s' }).height,
      1152,
    );
    assert.deepEqual(generatedSize({ width: 1280, height: 720 }, 0.9, 32), { width: 1280, height: 704 });
  });
});

describe('the reference workflows', () => {
  const write = createPromptWriter([], { find: () => undefined });
  const names = readdirSync(new URL('.', ownWorkflow('x'))).filter((name) => name.endsWith('.json'));
  test('join no text of PhotoMaker, which ComfyUI leaves on the GPU, with one that it leaves in main memory', () => {
    for (const name of names) {
      const { workflow } = readWorkflowFile(ownWorkflow(name.replace('.json', ''))).definition;
      const joined = Object.values(workflow)
        .filter(({ class_type }) => /^Conditioning(Concat|Average)$/.test(class_type))
        .flatMap(({ inputs }) => Object.values(inputs))
        .map((input) => (Array.isArray(input) ? workflow[String(input[0])]?.class_type : undefined));
      assert.ok(!joined.includes('PhotoMakerEncode'), name);
    }
  });
  test('pair Lightning with weights that were scaled to eight bits, as its authors say', () => {
    // Plain fp8_e4m3fn weights with a LoRA for bf16 ones give a pattern of lines: ModelTC/Qwen-Image-Lightning, issue 32.
    const paired = names
      .map((name) => readWorkflowFile(ownWorkflow(name.replace('.json', ''))))
      .filter(({ needs }) => needs.models.some(({ file }) => /Lightning/.test(file)))
      .flatMap(({ needs }) => needs.models.filter(({ folder }) => folder === 'diffusion_models'))
      .flatMap(({ file, alternatives }) => [file, ...alternatives.map((other) => other.file)]);
    assert.ok(paired.length > 0);
    for (const file of paired) assert.doesNotMatch(file, /e4m3fn(?!_scaled)/);
  });
  test('say the same of a file wherever they name it', () => {
    const models = names.flatMap(
      (name) => readWorkflowFile(ownWorkflow(name.replace('.json', ''))).needs.models,
    );
    for (const model of models)
      assert.deepEqual(
        model,
        models.find(({ file, folder }) => file === model.file && folder === model.folder),
      );
  });
  test('say of every file whether it is for commercial use', () => {
    for (const name of names) {
      const { needs } = JSON.parse(readFileSync(new URL(name, ownWorkflow('x')), 'utf8')) as {
        needs: { models: { file: string; commercial?: string; licence: string }[] };
      };
      for (const { file, commercial, licence } of needs.models) {
        assert.ok(commercial, `${name}: ${file}`);
        if (/non-commercial|research/.test(licence)) assert.notEqual(commercial, 'yes', `${name}: ${file}`);
      }
    }
  });
  for (const name of names) {
    test(`${name} is sound, fits the nodes as their sources define them, and names what it needs`, () => {
      const { definition, families: made, needs } = readWorkflowFile(ownWorkflow(name.replace('.json', '')));
      assert.deepEqual(checkAgainstServer(referenceNodes(), definition), []);
      const known: string[] = families.map((family) => family.name);
      assert.deepEqual(
        made.filter((family) => !known.includes(family)),
        [],
      );
      const values = Object.values(definition.workflow).flatMap((node) => Object.values(node.inputs));
      const weights = values.filter(
        (value) => typeof value === 'string' && /\.(safetensors|bin|pth|onnx)$/.test(value),
      );
      const listed = needs.models.map((model) => model.file);
      assert.deepEqual(
        weights.filter((file) => !listed.includes(file as string)),
        [],
      );
      const core = new Set(Object.keys(referenceNodes()));
      for (const { classes } of needs.custom_nodes) for (const one of classes) assert.ok(core.has(one), one);
    });
    test(`${name} takes everything that its families send`, async () => {
      const { definition, families: made, kinds } = readWorkflowFile(ownWorkflow(name.replace('.json', '')));
      for (const family of made) {
        const video = familyOf(family).output === 'video';
        const choices = video ? { duration: '4s', model: 'advanced' } : { gender: 3, outpaint: false };
        const params = { prompt: 'in the rain', seed: 5, ...choices };
        // As a route with words of its own asks for it, whether the family takes a prompt or not.
        const asked = {
          ...parseRequest(family, params, null),
          prompt: params.prompt,
          jobId: 'j',
          filterRef: null,
        };
        const request = { ...asked, words: await write(asked) };
        const shape = shapeOf(request, { width: 4, height: 3 });
        const photos = definition.bindings.photos.map((_, i) => `photo-${i}.jpg`);
        const { face, frame } = definition.bindings;
        const uploaded = { photos, template: 'template.jpg', face: 'face.jpg', frame: 'frame.jpg' };
        const graph = bind(definition, request, shape, uploaded, 'guise/x');
        const text = JSON.stringify(graph);
        const expected = [
          ...(face ? ['face.jpg'] : photos),
          ...(frame ? ['frame.jpg'] : []),
          kinds?.includes('template') ? 'template.jpg' : 'in the rain',
          'guise/x',
        ];
        for (const name of expected) assert.ok(text.includes(name), name);
        const length = Object.values(graph).find((node) => 'length' in node.inputs)?.inputs.length;
        // Frames are 4n + 1 for Wan, 8n + 1 for LTX.
        if (video) assert.equal((Number(length) - 1) % (name.includes('ltx') ? 8 : 4), 0);
        // Pictures leave the server at the size of the result, and are not scaled again.
        if (video) continue;
        const saved = graph[definition.bindings.output]!.inputs.images as [string, number];
        const { width, height } = graph[saved[0]]!.inputs;
        assert.deepEqual([width, height], [shape.width, shape.height]);
      }
    });
  }
  test('cover face swap, multi swap, self-prompt and both kinds of video', () => {
    const made = names.flatMap((name) => readWorkflowFile(ownWorkflow(name.replace('.json', ''))).families);
    assert.deepEqual(
      families
        .filter((family) => family.output !== 'loop')
        .map((family) => family.name)
        .filter((name) => !made.includes(name)),
      [],
    );
  });
});

describe('custom filters that are workflows', () => {
  const path = '/v1/users/me/my-custom-filters';
  let gpu: ComfyuiServer;
  let service: TestServer;
  let account: TestAccount;
  before(async () => {
    gpu = await comfyuiServer();
    service = await startTestServer({}, (config) => createEngines(config, comfyuiPlan([gpu])));
    account = await service.account();
  });
  after(async () => {
    await service.stop();
    await gpu.stop();
  });
  const save = (definition: unknown, filter_type = 'face_swap') =>
    account.call('POST', path, { name: 'Mine', filter_type, definition });

  test('are saved, previewed and run on the GPU server', async () => {
    const saved = await save(pictureWorkflow());
    assert.equal(saved.status, 201);
    await until(async () => {
      const { body } = await account.call('GET', path);
      return body.find((filter: { id: string }) => filter.id === saved.body.id).preview_images.length === 1;
    }, 30_000);
    const run = { base64: photo, gender: 0, filter_id: saved.body.id };
    const { id } = (await account.call('POST', '/v6/run/face_swap', run)).body;
    const { body } = await account.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=30' });
    assert.equal(body.status, 'COMPLETED');
    assert.equal(gpu.graphs.get(gpu.accepted.at(-1)!)!['3']!.inputs!.text, 'photo of a man, ');
  });

  for (const [what, change, where] of [...unsound, ...unfit]) {
    test(`with ${what} are refused with the place of the fault`, async () => {
      const { status, body } = await save(changed(change));
      assert.deepEqual(
        [status, body.error_code, body.fields[0].path],
        [422, 'VALIDATION_ERROR', `definition.${where}`],
      );
    });
  }

  test('run without previews and second results that somebody left in them, whatever their nodes', async () => {
    const leftOver = changed(({ workflow }) => {
      workflow['20'] = { class_type: 'PreviewImage', inputs: { images: ['8', 0] } };
      workflow['21'] = { class_type: 'NodeOfSomePack', inputs: { images: ['8', 0] } };
      workflow['22'] = { class_type: 'SaveImage', inputs: { images: ['21', 0], filename_prefix: 'x' } };
    });
    const saved = await save(leftOver);
    assert.equal(saved.status, 201);
    const run = { base64: photo, gender: 0, filter_id: saved.body.id };
    const { id } = (await account.call('POST', '/v6/run/face_swap', run)).body;
    const { body } = await account.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=30' });
    assert.equal(body.status, 'COMPLETED');
    const sent = Object.keys(gpu.graphs.get(gpu.accepted.at(-1)!)!);
    assert.deepEqual(sent.toSorted(), Object.keys(pictureWorkflow().workflow).toSorted());
    const { 22: _, ...onlyPreviews } = leftOver.workflow;
    const described = await account.call('POST', '/v1/workflow_checks', {
      workflow: onlyPreviews,
    });
    assert.deepEqual(described.body.left_out, [
      'Node 20 (PreviewImage) does not lead to the result and is left out.',
      'Node 21 (NodeOfSomePack) does not lead to the result and is left out.',
    ]);
  });

  test('must take one photo', async () => {
    const { body } = await save(changed(({ bindings }) => void bindings.photos.pop()));
    assert.equal(body.fields[0].path, 'definition.bindings.photos');
  });

  test('are saved on their own merits while no server answers', async () => {
    const gone = await comfyuiServer();
    await gone.stop();
    const alone = await startTestServer({}, (config) => createEngines(config, comfyuiPlan([gone])));
    const caller = await alone.account();
    const body = { name: 'Mine', filter_type: 'face_swap', definition: changed(unfit[0]![1]) };
    assert.equal((await caller.call('POST', path, body)).status, 201);
    await alone.stop();
  });

  test('answer WORKFLOW_FETCH_FAILED when what is stored cannot be read, uncharged', async () => {
    const { body } = await save(pictureWorkflow());
    const broken = JSON.stringify({ kind: 'workflow', workflow: {} });
    await service.db.run(updateCustomFilter, {
      id: body.id,
      account_id: account.id,
      version: 1,
      next: 2,
      name: 'Mine',
      definition: broken,
      note: '',
      updated_at: 1,
    });
    const before = await account.credits();
    const answer = await account.call('POST', '/v6/run/face_swap', {
      base64: photo,
      gender: 0,
      filter_id: body.id,
    });
    assert.deepEqual([answer.status, answer.body.error_code], [422, 'WORKFLOW_FETCH_FAILED']);
    assert.equal(await account.credits(), before);
  });

  test('are refused on a server that runs no workflows; those it has answer WORKFLOW_FETCH_FAILED', async () => {
    const workflows = [pictureWorkflow()];
    const families = ['face_swap_v6' as const];
    const plan = { ...comfyuiPlan([gpu]), routes: [{ families, engine: 'gpu', workflows }], local: false };
    const other = await startTestServer({}, (config) => createEngines(config, plan));
    const caller = await other.account();
    const filter = { name: 'Mine', filter_type: 'face_swap', definition: pictureWorkflow() };
    const refused = await caller.call('POST', path, filter);
    assert.deepEqual([refused.status, refused.body.error_code], [422, 'VALIDATION_ERROR']);
    assert.equal(refused.body.fields[0].path, 'definition.kind');
    assert.match(refused.body.error, /no engine of this server runs workflows for face swap: its operator/);
    const scene = { ...filter, definition: { kind: 'prompt', prompt: 'a quiet place' } };
    const { id } = (await caller.call('POST', path, scene)).body;
    const stored = { name: 'Mine', definition: JSON.stringify(pictureWorkflow()), note: '', updated_at: 1 };
    await other.db.run(updateCustomFilter, { id, account_id: caller.id, version: 1, next: 2, ...stored });
    const answer = await caller.call('POST', '/v6/run/face_swap', {
      base64: photo,
      gender: 0,
      filter_id: id,
    });
    assert.deepEqual([answer.status, answer.body.error_code], [422, 'WORKFLOW_FETCH_FAILED']);
    await other.stop();
  });
});
