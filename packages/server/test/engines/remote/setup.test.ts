import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { families } from '@guise/contract/families/families.ts';
import sharp from 'sharp';
import { readConfig } from '../../../src/config.ts';
import { accessHeaders } from '../../../src/engines/comfyui/access.ts';
import { cardFor, cards, workflowsOf } from '../../../src/engines/comfyui/setup/cards.ts';
import { chooseWorkflows, referenceWorkflows } from '../../../src/engines/comfyui/setup/choose-workflows.ts';
import { readInventory } from '../../../src/engines/comfyui/setup/read-inventory.ts';
import { isAtLeast } from '../../../src/engines/comfyui/version.ts';
import { readEnginesFile } from '../../../src/engines/engines-file.ts';
import { inspections } from '../../../src/engines/inspections.ts';
import { tryRoutes } from '../../../src/engines/try-routes.ts';
import { inventoryServer } from '../../support/comfyui-inventory.ts';
import { objectInfo } from '../../support/comfyui-nodes.ts';
import { referenceNodes, referenceWeights } from '../../support/comfyui-reference-nodes.ts';
import { comfyuiServer } from '../../support/comfyui-server.ts';
import { guiseInProcess } from '../../support/command-line.ts';
import { pictureWorkflow } from '../../support/remote.ts';

const flux = ['flux1-schnell-fp8.safetensors'];
const guise = (...words: string[]) => guiseInProcess({}, ...words);

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-setup-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Loops are the local engine's alone. */
const madeByServers = families
  .filter(({ output }) => output !== 'loop')
  .map(({ name }) => name)
  .toSorted();

const routesOf = (weights: readonly string[], version = '0.3.64') =>
  chooseWorkflows({ version, info: referenceNodes(weights) }, { nonCommercial: true });

describe('the choice of workflows', () => {
  test('on a fresh ComfyUI is none, and every file is named with its address, size and licence', () => {
    const { routes, unfit } = routesOf([], '0.27.0');
    assert.deepEqual(routes, []);
    assert.deepEqual(
      unfit.map(({ workflow }) => workflow.name),
      referenceWorkflows().map(({ name }) => name),
    );
    for (const { workflow, models, packs, others } of unfit) {
      assert.deepEqual(models, workflow.file.needs.models, workflow.name);
      assert.deepEqual([packs, others], [[], []]);
      for (const { from, file } of models)
        assert.ok(file.includes(' ') || from.endsWith(`/${file}`), `${from} is no direct address`);
    }
  });

  test('has nothing that is not for commercial use, unless that is asked for', () => {
    const server = { version: '0.27.0', info: referenceNodes() };
    const { routes, unfit, leftOut } = chooseWorkflows(server);
    const chosen = routes.flatMap(({ workflows }) => workflows);
    for (const { name, file } of chosen)
      for (const model of file.needs.models)
        assert.notEqual(model.commercial, 'no', `${name}: ${model.file}`);
    assert.ok(chosen.some(({ file }) => file.families.includes('face_swap_v6')));
    assert.deepEqual(unfit, []);
    const notForCommerce = ['face-swap-instantid', 'face-swap-template-reactor'];
    assert.deepEqual(leftOut.map(({ name }) => name).toSorted(), notForCommerce);
    const asked = chooseWorkflows(server, { nonCommercial: true });
    const all = asked.routes.flatMap(({ workflows }) => workflows).map(({ name }) => name);
    assert.deepEqual([notForCommerce.filter((name) => !all.includes(name)), asked.leftOut], [[], []]);
  });

  test('names the files of a node pack that is not there, as far as the server does not show them', () => {
    const nodes = Object.entries(referenceNodes());
    const info = Object.fromEntries(nodes.filter(([name]) => !/InstantID|ReActor/.test(name)));
    const { unfit } = chooseWorkflows({ version: '0.7.0', info }, { nonCommercial: true });
    const filesOf = (name: string) =>
      unfit.find(({ workflow }) => workflow.name === name)!.models.map(({ file }) => file.split(' ')[0]!);
    assert.deepEqual(filesOf('face-swap-instantid'), ['ip-adapter.bin', 'antelopev2']);
    for (const file of ['inswapper_128.onnx', 'GFPGANv1.4.pth', 'buffalo_l', 'parsing_parsenet.pth'])
      assert.ok(filesOf('face-swap-template-reactor').includes(file), file);
    assert.ok(!filesOf('face-swap-template-reactor').includes('RealESRGAN_x2plus.pth'));
  });

  test('with Flux alone makes pictures from a text, and nothing else', () => {
    const { routes, unfit } = routesOf(flux);
    assert.deepEqual(
      routes.map((route) => [route.families, route.workflows.map(({ name }) => name)]),
      [[['self_prompt_v2'], ['self-prompt-flux']]],
    );
    assert.ok(!unfit.some(({ workflow }) => workflow.name === 'self-prompt-flux'));
  });

  test('with everything covers every family, templates first, one photo with InstantID, groups with Qwen', () => {
    const { routes: all, unfit } = routesOf(referenceWeights, '0.27.0');
    assert.deepEqual(unfit, []);
    const [templates, ...routes] = all;
    assert.deepEqual(
      [templates!.kinds, templates!.workflows.map(({ name }) => name)],
      [['template'], ['face-swap-template-reactor']],
    );
    assert.ok(routes.every(({ kinds }) => kinds === null));
    const made = routes.flatMap((route) => route.families);
    assert.deepEqual(made.toSorted(), madeByServers);
    const served = (family: string) =>
      routes
        .find((route) => route.families.some((name) => name === family))!
        .workflows.map(({ name }) => name);
    assert.deepEqual(served('face_swap_v6'), ['face-swap-instantid']);
    const qwen = 'edit-qwen-2511';
    assert.deepEqual(served('stylized_multi_swap_v1'), [qwen]);
    assert.deepEqual(served('multi_swap_v4'), [
      qwen,
      `${qwen}-two-photos`,
      `${qwen}-three-photos`,
      'edit-klein-four-photos',
    ]);
    assert.deepEqual(served('self_prompt_v2'), ['face-swap-instantid', 'self-prompt-klein']);
    assert.deepEqual(served('single_frame_video'), ['video-wan22-14b']);
    assert.deepEqual(served('first_last_frame_video'), ['video-wan22-14b-first-last']);
  });

  test('on a small card makes portraits with PhotoMaker and videos with LTX', () => {
    const small = referenceWeights.filter((file) => /sd_xl|photomaker|x2plus|ltx|t5xxl/.test(file));
    const { routes } = routesOf(small);
    assert.deepEqual(
      routes.map(({ workflows }) => workflows.map(({ name }) => name)),
      [['portrait-photomaker'], ['video-ltx'], ['video-ltx-first-last']],
    );
  });

  test('without the nodes of InstantID serves single guests with Qwen, and names the pack', () => {
    const { ApplyInstantID: _, ...info } = referenceNodes();
    const { routes, unfit } = chooseWorkflows({ version: '0.3.64', info }, { nonCommercial: true });
    const route = routes.find(({ families: made, kinds }) => made.includes('face_swap_v6') && !kinds);
    assert.deepEqual(
      route?.workflows.map(({ name }) => name),
      ['multi-swap-qwen-lightning'],
    );
    assert.equal(unfit[0]?.packs[0]?.url, 'https://github.com/cubiq/ComfyUI_InstantID');
  });

  test('asks for Qwen only for groups where InstantID serves single guests', () => {
    const instantId = referenceWeights.filter((file) =>
      /sd_xl|ip-adapter|diffusion_pytorch|x2plus/.test(file),
    );
    const qwen = routesOf(instantId).unfit.find(({ workflow }) => workflow.name === 'multi-swap-qwen')!;
    assert.ok(qwen.families.includes('multi_swap_v5') && !qwen.families.includes('face_swap_v6'));
  });

  for (const card of cards) {
    const set = workflowsOf(card);
    test(`for a card of ${card.vram_gb} GB is complete, and may be used commercially`, () => {
      const { routes, unfit } = chooseWorkflows(
        { version: '0.27.0', info: referenceNodes() },
        { workflows: set },
      );
      assert.deepEqual(unfit, []);
      const made = routes.flatMap((route) => route.families);
      assert.deepEqual(made.toSorted(), madeByServers);
      const photosOf = (family: string) =>
        routes
          .find((route) => route.families.some((name) => name === family))!
          .workflows.map(({ file }) => file.definition.bindings.photos.length)
          .toSorted();
      assert.deepEqual(photosOf('self_prompt_v2'), [0, 1]);
      assert.deepEqual(photosOf('multi_swap_v4'), [1, 2, 3, 4]);
      for (const { name, file } of set)
        for (const model of file.needs.models)
          assert.deepEqual([model.commercial, model.gated], ['yes', false], `${name}: ${model.file}`);
    });
  }

  test('takes a card for what it is sold as, and one between two for the smaller', () => {
    assert.deepEqual(
      [6, 7.6, 11.7, 15.6, 20, 23.5, 47.4, 140].map((said) => cardFor(said).vram_gb),
      [8, 8, 12, 16, 16, 24, 48, 48],
    );
  });

  test('on a server that is too old is none, with the version that is needed', () => {
    assert.match(
      routesOf(flux, '0.3.50')
        .unfit.find(({ workflow }) => workflow.name === 'self-prompt-flux')!
        .others.join(),
      /ComfyUI 0\.3\.57 or later is needed/,
    );
    assert.deepEqual(routesOf(flux, '0.3.50').routes, []);
    assert.ok(isAtLeast('0.10.1', '0.3.57 or later') && isAtLeast('0.3.57', '0.3.57 or later'));
    assert.ok(!isAtLeast('0.3.9', '0.3.57 or later'));
  });
});

describe('a server that does not answer as ComfyUI', () => {
  const answering = async (status: number, headers: Record<string, string> = {}, body = 'no') => {
    const server = createServer((_, response) => response.writeHead(status, headers).end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { port: (server.address() as AddressInfo).port, server };
  };
  const cases: [string, number, Record<string, string>, RegExp][] = [
    ['asks for a password', 401, { 'www-authenticate': 'Basic' }, /--basic-from for name:password/],
    ['refuses access', 403, {}, /asks for credentials.*--token-from/],
    ['redirects', 302, { location: 'https://example.com/login' }, /redirect.*Use the address/],
    ['is another program', 404, {}, /another program answers/],
    ['answers with a page', 200, { 'content-type': 'text/html' }, /something other than ComfyUI/],
    ['is a proxy without its server', 502, {}, /a proxy answers, and ComfyUI behind it does not/],
  ];
  for (const [what, status, headers, remedy] of cases)
    test(`${what}: the operator reads what to do`, async () => {
      const { port, server } = await answering(status, headers);
      await assert.rejects(readInventory(`http://127.0.0.1:${port}`, {}), remedy);
      server.close();
      server.closeAllConnections();
    });
  test('has no TLS, no listener or no name: the operator reads what to do', async () => {
    const { port, server } = await answering(200);
    await assert.rejects(readInventory(`https://127.0.0.1:${port}`, {}), /Use http:\/\/ instead/);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await assert.rejects(readInventory(`http://127.0.0.1:${port}`, {}), /nothing listens on that port/);
    await assert.rejects(
      readInventory('http://gpu.invalid:8188', {}),
      /no machine has this name|could not be looked up/,
    );
  });
  test('takes a token, name and password, or headers of any name', () => {
    const secrets: Record<string, string> = { TOKEN: 't', LOGIN: 'me:secret', ID: '1', KEY: '2' };
    const read = (variable: string) => secrets[variable]!;
    assert.deepEqual(accessHeaders({ token_from: 'TOKEN' }, read), { authorization: 'Bearer t' });
    assert.deepEqual(accessHeaders({ basic_from: 'LOGIN' }, read), { authorization: 'Basic bWU6c2VjcmV0' });
    assert.deepEqual(accessHeaders({ headers_from: { 'X-Id': 'ID', 'X-Key': 'KEY' } }, read), {
      'x-id': '1',
      'x-key': '2',
    });
  });
});

test('guise engines init writes a file that can be used, and does not overwrite it unasked', async () => {
  const { url, stop } = await inventoryServer(referenceNodes(flux));
  const file = join(folder, 'engines.json');
  try {
    const { stdout } = await guise('engines', 'init', '--comfyui', url, '--write', file);
    assert.match(stdout, /self-prompt-flux for self_prompt_v2/);
    assert.match(
      stdout,
      /models\/vae\/wan2\.2_vae\.safetensors {2}\(1\.4 GB, Apache-2\.0; commercial use: yes\)\n {4}https:\/\/huggingface/,
    );
    assert.match(stdout, /face-swap-template-reactor .* is not for commercial use/);
    assert.match(stdout, /inswapper_128\.onnx {2}\(0\.6 GB, .*; commercial use: no\)/);
    assert.match(stdout, /antelopev2 .* {2}\(0\.4 GB, .*; commercial use: no\)/);
    const plan = readEnginesFile(file, {});
    assert.deepEqual(plan.routes.at(-1)!.workflows, []);
    assert.equal(plan.routes[0]?.files?.[0]?.name, 'self-prompt-flux');
    assert.match((await inspections(plan)[0]!.check()) as string, /everything that 1 workflow needs/);
    const before = await readFile(file, 'utf8');
    await assert.rejects(guise('engines', 'init', '--comfyui', url, '--write', file), /is there already/);
    assert.equal(await readFile(file, 'utf8'), before);
  } finally {
    await stop();
  }
});

test('guise engines init writes a route for workflows of custom filters where no reference workflow runs', async () => {
  const { url, stop } = await inventoryServer({ ...objectInfo(), ...referenceNodes([]) });
  const old = await inventoryServer(referenceNodes(), { version: '0.3.50' });
  const file = join(folder, 'own-graphs.json');
  try {
    const { stdout } = await guise('engines', 'init', '--comfyui', url, '--write', file);
    assert.match(stdout, /can run none of the reference workflows yet/);
    const [route, ...others] = readEnginesFile(file, {}).routes;
    const nodes = new Set(route!.nodes);
    assert.deepEqual(others, []);
    assert.ok(nodes.has('LoadImage') && nodes.has('SaveImage') && nodes.has('KSampler'));
    // Those of node packs are the operator's to add; a preview is saved nowhere.
    assert.ok(!nodes.has('ReActorFaceSwap') && !nodes.has('PreviewImage'));
    assert.ok(route!.families.includes('face_swap_v6') && route!.families.includes('multi_swap_v5'));
    await assert.rejects(guise('engines', 'init', '--comfyui', old.url), /ComfyUI 0\.3\.50 is too old/);
  } finally {
    await Promise.all([stop(), old.stop()]);
  }
});

test('the doctor names workflow, node, input, file and address of what a fresh ComfyUI lacks', async () => {
  const { url, stop } = await inventoryServer(referenceNodes([]));
  const file = join(folder, 'fresh.json');
  const engines = { gpu: { type: 'comfyui', servers: [{ url }] } };
  const routes = [{ families: 'self_prompt_v2', engine: 'gpu', workflow: 'self-prompt-flux' }];
  await writeFile(file, JSON.stringify({ engines, routes }));
  try {
    await assert.rejects(
      inspections(readEnginesFile(file, {}))[0]!.check(),
      /self-prompt-flux: node 1 \(CheckpointLoaderSimple\), input ckpt_name: the server does not have "flux1-schnell-fp8\.safetensors"; download it into models\/checkpoints from https:\S+ \(17\.2 GB, Apache-2\.0; commercial use: yes\)/,
    );
  } finally {
    await stop();
  }
});

test('every workflow is tried once, without falling back, and its picture or its error is kept', async () => {
  const server = await comfyuiServer();
  const about = { name: 'Test', about: 'A test.', families: ['face_swap_v6'] };
  const needs = { comfyui: '0.3.57', custom_nodes: [], models: [], vram: '1 GB' };
  const broken = pictureWorkflow();
  broken.workflow['1']!.inputs.ckpt_name = 'not-there.safetensors';
  const template = pictureWorkflow();
  template.workflow['10'] = { class_type: 'LoadImage', inputs: { image: 'example.png' } };
  template.workflow['11'] = { class_type: 'ImageBatch', inputs: { image1: ['2', 0], image2: ['10', 0] } };
  template.workflow['5']!.inputs.image = ['11', 0];
  template.bindings.template = [{ node: '10', input: 'image' }];
  for (const [name, definition] of Object.entries({ good: pictureWorkflow(), broken, template }))
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ ...about, needs, definition }));
  const file = join(folder, 'tried.json');
  const route = { engine: 'gpu', fallback: 'local' };
  await writeFile(
    file,
    JSON.stringify({
      engines: { gpu: { type: 'comfyui', servers: [{ url: server.url }] } },
      routes: [
        { ...route, families: 'face_swap_v6', workflow: './good.json' },
        { ...route, families: 'multi_swap_v5', workflow: './broken.json' },
        { ...route, families: 'face_swap_v6', kinds: ['template'], workflow: './template.json' },
      ],
    }),
  );
  const steps = new Set<string>();
  try {
    const [good, bad, swapped] = await tryRoutes(readConfig({}), readEnginesFile(file, {}), {
      folder: join(folder, 'out'),
      signal: AbortSignal.timeout(60_000),
      progress: (name, done) => steps.add(`${name} ${done === 1}`),
    });
    const { width, height } = await sharp(good!.file!).metadata();
    assert.deepEqual([width, height, good!.error], [1200, 1800, null]);
    assert.ok(steps.has('./good.json true'));
    assert.equal(bad!.file, null);
    assert.match(bad!.error!, /does not run on the GPU servers/);
    assert.equal(bad!.family, 'multi_swap_v5');
    assert.equal(swapped!.error, null);
    const { image } = server.graphs.get(server.accepted.at(-1)!)!['10']!.inputs as { image: string };
    // The catalog has no templates: a sample photo stands for one.
    assert.equal((await sharp(server.uploads.get(image)!).metadata()).width, 1500);
  } finally {
    await server.stop();
  }
});
