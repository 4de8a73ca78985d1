import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FamilyName } from '@guise/contract/families/families.ts';
import { NewEngine, type NewEngineInput } from '@guise/contract/operator/engine-setup.ts';
import {
  createInstalledEngines,
  type InstalledEngines,
} from '../../../src/app/installation/installed-engines.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { readEnginesPlan } from '../../../src/engines/engines-file.ts';
import { inventoryServer } from '../../support/comfyui-inventory.ts';
import { referenceNodes, referenceWeights } from '../../support/comfyui-reference-nodes.ts';
import { falServer } from '../../support/fal-server.ts';
import { temporaryConfig } from '../../support/harness.ts';
import { openaiImagesServer } from '../../support/openai-images-server.ts';
import { runpodServer } from '../../support/runpod-server.ts';

interface Added {
  server: { url: string; stop(): Promise<void> };
  /** What an operator fills in beside name and address. */
  fields: Partial<NewEngineInput>;
  says: RegExp;
  family: FamilyName;
  /** What the server says to another key; null where it asks for none. */
  refused: RegExp | null;
}

const kinds: Record<'comfyui' | 'runpod' | 'openai_images' | 'fal', () => Promise<Added>> = {
  async comfyui() {
    const server = await inventoryServer(referenceNodes(referenceWeights));
    return {
      server,
      fields: {},
      says: /^ComfyUI 0\.3\.64, no GPU, \d+ nodes$/,
      family: 'self_prompt_v2',
      refused: null,
    };
  },
  async runpod() {
    const { endpoint, ...server } = await runpodServer();
    const fields = { key: server.key, uses: ['filters' as const, 'videos' as const] };
    return {
      server: { ...server, url: endpoint },
      fields,
      says: /key is good/,
      family: 'face_swap_v6',
      refused: /key/i,
    };
  },
  async openai_images() {
    const server = await openaiImagesServer();
    const fields = { key: server.key, model: 'gpt-image-2', photos_leave: true, uses: ['prompts' as const] };
    return { server, fields, says: /key is good/, family: 'self_prompt_v2', refused: /key/i };
  },
  async fal() {
    const server = await falServer();
    const model = 'fal-ai/flux-2/klein/4b/edit';
    const fields = { key: server.key, model, photos_leave: true, uses: ['prompts' as const] };
    return { server, fields, says: /the key is not refused/, family: 'self_prompt_v2', refused: /key/i };
  },
};

for (const [type, start] of Object.entries(kinds))
  describe(`adding an engine of the kind ${type}`, () => {
    let added: Added;
    let config: Config;
    let engines: InstalledEngines;
    const wanted = (fields: object = {}) =>
      NewEngine.parse({ name: 'rack-1', type, url: added.server.url, ...added.fields, ...fields });
    const planOf = () => {
      const env = { GUISE_DATA_DIR: config.dataDir };
      return readEnginesPlan(readConfig(env), env);
    };
    before(async () => {
      added = await start();
      config = temporaryConfig();
      engines = createInstalledEngines(config, true);
    });
    after(async () => {
      await added.server.stop();
      rmSync(config.dataDir, { recursive: true });
    });

    test('asks it, and says what it would make', async () => {
      const tested = await engines.test(wanted());
      assert.equal(tested.ok, true, JSON.stringify(tested));
      assert.match(tested.says, added.says);
      assert.ok(tested.families.includes(added.family), tested.families.join());
      assert.deepEqual(engines.names(), [], 'nothing is kept');
    });

    test('keeps none that does not answer or refuses the key', async () => {
      const wrong = [
        wanted({ url: 'http://127.0.0.1:9' }),
        ...(added.refused ? [wanted({ key: 'another-key' })] : []),
      ];
      for (const one of wrong) {
        assert.equal((await engines.test(one)).ok, false);
        await assert.rejects(engines.add(one), { code: 'ADDRESS_NOT_REACHED' });
      }
      if (added.refused) assert.match((await engines.test(wrong[1]!)).says, added.refused);
      assert.deepEqual(engines.names(), []);
    });

    test('writes what the next start reads, its key apart, and removes both', async () => {
      await engines.add(wanted());
      assert.deepEqual([engines.names(), engines.isPending()], [['rack-1'], true]);
      const { key } = wanted();
      const plan = planOf()!;
      assert.ok(
        plan.routes.some(({ engine, families }) => engine === 'rack-1' && families.includes(added.family)),
      );
      assert.equal(JSON.stringify(plan.engines['rack-1']).includes(key), true);
      assert.ok(key === '' || !readFileSync(join(config.dataDir, 'engines.json'), 'utf8').includes(key));
      assert.equal(statSync(join(config.dataDir, 'engine-keys.json')).mode & 0o777, 0o600);
      await assert.rejects(engines.add(wanted()), { code: 'VALIDATION_ERROR' });
      await engines.remove('rack-1');
      assert.equal(readFileSync(join(config.dataDir, 'engine-keys.json'), 'utf8').trim(), '{}');
      assert.deepEqual(engines.names(), []);
    });
  });

describe('setting up ComfyUI servers', () => {
  const started: { stop(): Promise<void> }[] = [];
  let config: Config;
  let engines: InstalledEngines;
  const server = async (weights: readonly string[], having: object) => {
    const one = await inventoryServer(referenceNodes(weights), { version: '0.27.0', ...having });
    started.push(one);
    return one.url;
  };
  const wanted = (url: string, fields: Partial<NewEngineInput> = {}) =>
    NewEngine.parse({ name: 'rack', type: 'comfyui', url, ...fields });
  const setUp = async (url: string, fields: Partial<NewEngineInput> = {}) =>
    (await engines.test(wanted(url, fields))).setup!;
  const fileOf = () => JSON.parse(readFileSync(join(config.dataDir, 'engines.json'), 'utf8'));
  before(() => {
    config = temporaryConfig();
    engines = createInstalledEngines(config, true);
  });
  after(async () => {
    for (const one of started) await one.stop();
    rmSync(config.dataDir, { recursive: true });
  });

  test('an empty server is shown with the files of the set for its card, and can run workflows of custom filters only', async () => {
    const url = await server([], { vramGb: 24 });
    const { ok, setup, families } = await engines.test(wanted(url));
    assert.deepEqual([ok, families, setup!.card_gb, setup!.workflows], [true, [], 24, []]);
    const [shown] = setup!.servers;
    assert.match(shown!.says, /^ComfyUI 0\.27\.0, cuda:0 NVIDIA Test, 24 GB of VRAM, \d+ nodes$/);
    assert.equal(shown!.problem, null);
    assert.equal(shown!.download, 'script');
    assert.ok(shown!.gigabytes > 70 && shown!.models.length > 10, `${shown!.gigabytes} GB`);
    for (const model of shown!.models) {
      assert.ok(model.licence !== '' && model.workflows.length > 0, model.file);
      assert.equal(model.commercial, 'yes', model.file);
      assert.ok(setup!.script!.includes(model.url), model.file);
    }
    await engines.add(wanted(url));
    const [route, ...others] = fileOf().routes;
    assert.ok(route.nodes.includes('LoadImage') && others.length === 0, JSON.stringify(others));
    await engines.remove('rack');
  });

  test('the card decides which files; none are named while nobody knows it', async () => {
    const url = await server([], {});
    const unknown = await setUp(url);
    assert.deepEqual([unknown.card_gb, unknown.script, unknown.servers[0]!.models], [null, null, []]);
    const filesOf = async (card_gb: number) =>
      (await setUp(url, { card_gb })).servers[0]!.models.map(({ file }) => file);
    const [small, large] = [await filesOf(8), await filesOf(48)];
    assert.ok(small.length > 0 && large.length > 0);
    assert.notDeepEqual(small, large);
  });

  test('the smallest card of several servers decides, and one that does not answer is named', async () => {
    const [large, small] = [await server([], { vramGb: 47.4 }), await server([], { vramGb: 11.8 })];
    const setup = await setUp(large, { more_urls: [small] });
    assert.equal(setup.card_gb, 12);
    assert.deepEqual(
      setup.servers.map(({ address }) => address),
      [large, small],
    );
    const gone = await engines.test(wanted(large, { more_urls: ['http://127.0.0.1:9'] }));
    assert.equal(gone.ok, false);
    assert.match(gone.says, /http:\/\/127\.0\.0\.1:9 does not answer as a ComfyUI server does/);
  });

  test('what is found in other places is written with its name there, behind a token, with its price', async () => {
    const moved = referenceWeights.map((file) => `guise/${file}`);
    const url = await server(moved, { vramGb: 24, authorization: 'Bearer let-me-in' });
    const fields = { key: 'let-me-in', gpu_hour_price: 1.5 };
    assert.match((await engines.test(wanted(url, { key: 'other' }))).says, /401/);
    const setup = await setUp(url, fields);
    assert.ok(setup.servers[0]!.found.some((sentence) => sentence.includes('in a folder below: guise/')));
    assert.equal(setup.script, null);
    await engines.add(wanted(url, fields));
    const [written] = fileOf().engines.rack.servers;
    assert.equal(written.files['wan2.2_vae.safetensors'], 'guise/wan2.2_vae.safetensors');
    assert.equal(written.gpu_hour_price, 1.5);
    assert.ok(!JSON.stringify(fileOf()).includes('let-me-in'));
    assert.deepEqual(engines.urlsOf('rack'), [url]);
  });

  test('set up again it keeps its key, its place and what its operator wrote into the file', async () => {
    const file = join(config.dataDir, 'engines.json');
    const own = fileOf();
    const byHand = {
      families: ['face_swap_v6'],
      filters: [12],
      engine: 'rack',
      workflow: 'edit-klein',
      prompt: 'in a garden',
    };
    const later = await server(referenceWeights, { vramGb: 24 });
    own.engines.rack.servers[0].weight = 3;
    own.routes.unshift(byHand);
    writeFileSync(file, JSON.stringify(own));
    await engines.add(wanted(later, { name: 'newer' }));
    const [url] = engines.urlsOf('rack');
    await assert.rejects(engines.add(wanted(url!)), { code: 'VALIDATION_ERROR' });
    await assert.rejects(engines.add(wanted(later, { name: 'unknown', replace: true })), {
      code: 'NOT_FOUND',
    });
    await engines.add(wanted(url!, { replace: true, fallback: false }));
    const next = fileOf();
    assert.equal(next.engines.rack.servers[0].weight, 3);
    assert.equal(next.engines.rack.servers[0].gpu_hour_price, 1.5);
    const names = next.routes.map(({ engine }: { engine: string }) => engine);
    assert.deepEqual(names, names.toSorted(), 'the engine that was added last stays first');
    const ownRoutes = next.routes.filter(({ engine }: { engine: string }) => engine === 'rack');
    assert.deepEqual(ownRoutes[0], byHand);
    assert.ok(ownRoutes.slice(1).every(({ fallback }: { fallback?: string }) => fallback === undefined));
    // Of two servers one is named no longer.
    await engines.add(wanted(later, { replace: true, key: 'let-me-in' }));
    assert.deepEqual(engines.urlsOf('rack'), [later]);
  });
});

describe('the key of an engine', () => {
  let config: Config;
  let engines: InstalledEngines;
  let service: Awaited<ReturnType<typeof openaiImagesServer>>;
  const wanted = (fields: Partial<NewEngineInput> = {}) =>
    NewEngine.parse({
      name: 'service',
      type: 'openai_images',
      url: service.url,
      key: service.key,
      model: 'gpt-image-2',
      photos_leave: true,
      uses: ['prompts'],
      ...fields,
    });
  before(async () => {
    service = await openaiImagesServer();
    config = temporaryConfig();
    engines = createInstalledEngines(config, true);
    await engines.add(wanted());
  });
  after(async () => {
    await service.stop();
    rmSync(config.dataDir, { recursive: true });
  });

  test('goes to no other address and no other kind of engine than it was stored for', async () => {
    const elsewhere = await inventoryServer(referenceNodes([]));
    const again = { replace: true, key: '' };
    assert.equal((await engines.test(wanted(again))).ok, true, 'the same address');
    for (const fields of [
      { url: elsewhere.url },
      { type: 'comfyui' as const, url: elsewhere.url },
      { more_urls: [elsewhere.url] },
    ])
      for (const call of [engines.test, engines.toDownload, engines.add])
        await assert.rejects(call(wanted({ ...again, ...fields })), { code: 'VALIDATION_ERROR' });
    await elsewhere.stop();
  });

  test('that is changed alone waits for a restart, too', async () => {
    const restarted = createInstalledEngines(config, true);
    assert.equal(restarted.isPending(), false);
    const file = join(config.dataDir, 'engine-keys.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(service.key, 'another-key'));
    assert.equal(restarted.isPending(), true);
    await restarted.add(wanted({ replace: true }));
    assert.equal(restarted.isPending(), false);
  });
});

test('changes at the same time lose none of them', async () => {
  const service = await openaiImagesServer();
  const config = temporaryConfig();
  const engines = createInstalledEngines(config, true);
  const fields = {
    type: 'openai_images',
    url: service.url,
    key: service.key,
    model: 'gpt-image-2',
    photos_leave: true,
  };
  const names = ['one', 'two', 'three'];
  await Promise.all(
    names.map((name) => engines.add(NewEngine.parse({ name, ...fields, uses: ['prompts'] }))),
  );
  assert.deepEqual(engines.names(), names);
  await Promise.all([engines.remove('one'), engines.remove('three')]);
  assert.deepEqual(engines.names(), ['two']);
  await service.stop();
  rmSync(config.dataDir, { recursive: true });
});

test('what a server that is away lacks cannot be downloaded, and it is said why', async () => {
  const config = temporaryConfig();
  const engines = createInstalledEngines(config, true);
  const away = NewEngine.parse({ name: 'rack', type: 'comfyui', url: 'http://127.0.0.1:9' });
  await assert.rejects(engines.toDownload(away), {
    code: 'ADDRESS_NOT_REACHED',
    message: /does not answer as a ComfyUI server/,
  });
  rmSync(config.dataDir, { recursive: true });
});

test('a RunPod endpoint makes what the set for its card does, as far as it is wanted', async () => {
  const endpoint = await runpodServer();
  const config = temporaryConfig();
  const engines = createInstalledEngines(config, true);
  const wanted = (fields: Partial<NewEngineInput>) =>
    NewEngine.parse({
      name: 'cloud',
      type: 'runpod',
      url: endpoint.endpoint,
      key: endpoint.key,
      uses: ['filters', 'prompts', 'videos'],
      ...fields,
    });
  try {
    await assert.rejects(engines.test(wanted({ key: '' })), { code: 'VALIDATION_ERROR' });
    const [usual, small] = [await engines.test(wanted({})), await engines.test(wanted({ card_gb: 8 }))];
    assert.deepEqual([usual.ok, usual.setup!.card_gb, small.setup!.card_gb], [true, 24, 8]);
    assert.notDeepEqual(usual.setup!.workflows, small.setup!.workflows);
    assert.ok(small.setup!.script_gigabytes < usual.setup!.script_gigabytes);
    assert.match(usual.setup!.script!, /wan2\.2/);
    const videos = await engines.test(wanted({ uses: ['videos'] }));
    assert.ok(
      videos.families.length > 0 && videos.families.every((name) => name.includes('video')),
      videos.families.join(),
    );
    await engines.add(wanted({ uses: ['videos'], fallback: false }));
    const written = JSON.parse(readFileSync(join(config.dataDir, 'engines.json'), 'utf8'));
    assert.deepEqual(written.engines.cloud, {
      type: 'runpod',
      endpoint: endpoint.endpoint,
      key_from: 'GUISE_ENGINE_KEY_CLOUD',
    });
    for (const route of written.routes)
      assert.ok(route.workflow.length > 0 && route.fallback === undefined, JSON.stringify(route));
  } finally {
    await endpoint.stop();
    rmSync(config.dataDir, { recursive: true });
  }
});
