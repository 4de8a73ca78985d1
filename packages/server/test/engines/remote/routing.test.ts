import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { circuit } from '../../../src/engines/circuit.ts';
import { comfyuiServers } from '../../../src/engines/comfyui/servers.ts';
import { type Engine, engineBroke } from '../../../src/engines/engine.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { type EnginesPlan, readEnginesFile } from '../../../src/engines/engines-file.ts';
import { withFallback } from '../../../src/engines/fallback.ts';
import { inspections } from '../../../src/engines/inspections.ts';
import { canMake, engineFor, needsOf, serves, slotsOf } from '../../../src/engines/routing.ts';
import type { RunpodPlan } from '../../../src/engines/runpod/runpod-kind.ts';
import { newId } from '../../../src/ids.ts';
import { comfyuiServer } from '../../support/comfyui-server.ts';
import { photo, startTestServer, temporaryConfig, until } from '../../support/harness.ts';
import { comfyuiPlan, directRun, pictureWorkflow, runpodPlan, withShortWaits } from '../../support/remote.ts';
import { runpodServer } from '../../support/runpod-server.ts';
import { testEngine } from '../../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-engines-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const workflow = {
  name: 'Test',
  about: 'A test.',
  families: ['face_swap_v6'],
  needs: { comfyui: '0.3', custom_nodes: [], models: [], vram: '1 GB' },
  definition: pictureWorkflow(),
};
writeFileSync(join(folder, 'own.json'), JSON.stringify(workflow));
writeFileSync(
  join(folder, 'bad.json'),
  JSON.stringify({ ...workflow, definition: { ...workflow.definition, bindings: { output: '77' } } }),
);

const gpu = { type: 'comfyui', servers: [{ url: 'http://10.0.0.5:8188' }] };
const cloud = { type: 'runpod', endpoint: 'https://api.runpod.ai/v2/abc', key_from: 'CLOUD_KEY' };
const route = { families: 'face_swap_v6', engine: 'gpu', workflow: './own.json' };

function read(content: unknown, env: NodeJS.ProcessEnv = { CLOUD_KEY: 'k' }) {
  const file = join(folder, 'engines.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readEnginesFile(file, env);
}

describe('the file of GUISE_ENGINES', () => {
  test('gives engines with their keys and routes with their workflows', () => {
    const plan = read({ engines: { gpu, cloud }, routes: [{ ...route, filters: [3], fallback: 'local' }] });
    assert.equal(plan.local, true);
    assert.deepEqual(plan.engines.gpu, {
      type: 'comfyui',
      servers: [{ url: 'http://10.0.0.5:8188', weight: 1, jobs: 2, headers: {} }],
    });
    assert.equal((plan.engines.cloud as { key: string }).key, 'k');
    assert.deepEqual(plan.routes[0]!.filters, ['3']);
    assert.equal(plan.routes[0]!.workflows[0]!.bindings.output, '9');
  });

  for (const [what, content, says] of [
    ['no JSON', '{', /it is no JSON/],
    ['an unknown setting', { engines: {}, routes: [], colour: 1 }, /Unrecognized key: "colour"/],
    [
      'an address without http',
      { engines: { gpu: { type: 'comfyui', servers: [{ url: 'gpu:8188' }] } }, routes: [] },
      /engines\.gpu\.servers\.0\.url: must be an http/,
    ],
    ['an unknown type', { engines: { gpu: { type: 'a1111' } }, routes: [] }, /engines\.gpu\.type/],
    [
      'an unknown family',
      { engines: { gpu }, routes: [{ ...route, families: ['nope'] }] },
      /routes\.0\.families: there is no nope; there are face_swap_v6/,
    ],
    [
      'an unknown engine',
      { engines: { gpu }, routes: [{ ...route, engine: 'x' }] },
      /routes\.0\.engine: there is no x; there are gpu, local/,
    ],
    [
      'no workflow',
      { engines: { gpu }, routes: [{ families: 'face_swap_v6', engine: 'gpu' }] },
      /routes\.0\.workflow: is needed/,
    ],
    [
      'a workflow that is not there',
      { engines: { gpu }, routes: [{ ...route, workflow: './none.json' }] },
      /none\.json cannot be used: it cannot be read/,
    ],
    [
      'a workflow that cannot run',
      { engines: { gpu }, routes: [{ ...route, workflow: './bad.json' }] },
      /definition\.bindings\.output: the workflow has no node 77/,
    ],
    [
      'a workflow for local',
      { engines: { gpu }, routes: [{ ...route, engine: 'local' }] },
      /routes\.0\.engine: the local engine runs no workflows/,
    ],
    [
      'time limits for local',
      { engines: {}, routes: [{ families: 'face_swap_v6', engine: 'local', running_seconds: 60 }] },
      /routes\.0\.engine: the time limits of a route are for servers/,
    ],
    [
      'time limits for another Guise',
      {
        engines: { home: { type: 'guise', url: 'https://guise.example.com', key_from: 'CLOUD_KEY' } },
        routes: [{ families: 'face_swap_v6', engine: 'home', waiting_seconds: 60 }],
      },
      /routes\.0: another Guise has its own workflows, words and time limits/,
    ],
  ] as const) {
    test(`refuses ${what}, naming its place`, () => {
      assert.throws(() => read(content), { code: 'BAD_SETTING', message: says });
    });
  }

  test('refuses a key that is not in the environment, without guessing', () => {
    assert.throws(() => read({ engines: { cloud }, routes: [] }, {}), {
      message: /engines\.cloud\.key_from names CLOUD_KEY, which is not set/,
    });
  });
});

test('the files that docs/gpu.md shows are good ones', () => {
  const page = readFileSync(new URL('../../../../../docs/gpu.md', import.meta.url), 'utf8');
  const shown = [/<<'JSON'\n(.*?)\nJSON/s, /```json\n(\{\n {2}"engines".*?)\n```/s].map(
    (pattern) => pattern.exec(page)![1]!,
  );
  for (const text of shown) {
    const file = join(folder, 'shown.json');
    writeFileSync(file, text);
    const plan = readEnginesFile(file, { STUDIO_TOKEN: 't', RUNPOD_API_KEY: 'k' });
    assert.ok(plan.routes.length > 0);
  }
});

describe('routes', () => {
  const local = { ...testEngine(), name: 'local' };
  const plan = (): EnginesPlan => {
    const workflows = [pictureWorkflow()];
    return {
      engines: {
        gpu: {
          type: 'comfyui',
          servers: [{ url: 'http://127.0.0.1:9', weight: 1, jobs: 3, headers: {} }],
        },
      },
      routes: [
        { families: ['face_swap_v6'], filters: ['7'], engine: 'local', workflows: [] },
        { families: ['face_swap_v6'], filters: ['3', '7'], engine: 'gpu', workflows },
        { families: ['face_swap_v6'], engine: 'gpu', nodes: ['LoadImage', 'SaveImage'], workflows: [] },
        { families: ['self_prompt_v2'], engine: 'gpu', workflows },
      ],
      local: true,
    };
  };
  let engines: Engine[] = [];
  const make = () => {
    engines = createEngines(temporaryConfig(), plan(), { createLocal: () => local });
    return engines;
  };
  after(() => Promise.all(engines.map((engine) => engine.close())));

  test('the first that fits serves: by filter, by kind, by number of photos; the rest is local', () => {
    const all = make();
    const scene = { kind: 'scene' as const, scene: 'aurora' };
    const demand = { family: 'face_swap_v6' as const, filter: scene, images: ['a'], params: {} };
    const at = (fields: Partial<Parameters<typeof engineFor>[1]>) =>
      engineFor(all, { ...demand, filterRef: '3', ...fields }).name;
    assert.equal(at({}), 'gpu');
    assert.equal(at({ filterRef: '7' }), 'local');
    assert.equal(at({ filterRef: '4' }), 'local');
    assert.equal(at({ filterRef: null, filter: pictureWorkflow() }), 'gpu');
    assert.equal(at({ family: 'self_prompt_v2', filter: null, filterRef: null }), 'gpu');
    assert.equal(at({ family: 'self_prompt_v2', filter: null, filterRef: null, images: [] }), 'local');
    assert.equal(serves(all, 'face_swap_v6', 'workflow'), true);
    // A route's own workflow is not a caller's.
    const own = all.filter((engine) => engine.name === 'gpu' && !engine.checkWorkflow);
    assert.equal(serves(own, 'face_swap_v6', 'workflow'), false);
    assert.equal(canMake(own[0]!, needsOf({ ...demand, filterRef: '3', filter: pictureWorkflow() })), false);
  });

  test('a worker takes only families that its engines make, and as many jobs as they take on', () => {
    const all = make().filter((engine) => engine.name === 'gpu');
    assert.deepEqual(
      slotsOf(all, 1).map(({ families, slots }) => ({ families, slots })),
      [{ families: new Set(['face_swap_v6', 'self_prompt_v2']), slots: 3 }],
    );
  });

  test('callers’ nodes that the operator does not list are refused when the filter is saved', async () => {
    const engine = make().find((candidate) => candidate.checkWorkflow)!;
    const [problem] = await engine.checkWorkflow!(pictureWorkflow());
    assert.match(problem!.message, /does not run nodes of the class CheckpointLoaderSimple/);
  });
});

test('the local engine makes what the GPUs could not, where that is allowed, and the job says so', async () => {
  const server = await comfyuiServer();
  await server.stop();
  const local = { ...testEngine(), name: 'local' };
  const plan = comfyuiPlan([server], { fallback: 'local' });
  const timeLimits = { noServerMs: 200, healthMs: 100 };
  const service = await startTestServer({}, (config) =>
    createEngines(config, withShortWaits(plan, { timeLimits }), { createLocal: () => local }),
  );
  const account = await service.account(10);
  const { id } = (await account.call('POST', '/v6/run/face_swap', { base64: photo, gender: 1, filter_id: 1 }))
    .body;
  const { body } = await account.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=30' });
  assert.equal(body.status, 'COMPLETED');
  assert.deepEqual(body.applied, ['a thing', 'made by the local engine, because gpu could not']);
  await service.stop();
});

test('the local engine does not stand in for what is wrong with the photo', async () => {
  const server = await comfyuiServer();
  server.faults.raise = { type: 'Exception', message: 'No face detected' };
  const local = { ...testEngine(), name: 'local' };
  const engines = createEngines(temporaryConfig(), comfyuiPlan([server], { fallback: 'local' }), {
    createLocal: () => local,
  });
  const run = await directRun(Buffer.from(photo, 'base64'));
  await assert.rejects(engineFor(engines, run.request).run(run.request, run.context), {
    code: 'ENGINE_REFUSED',
  });
  assert.equal(local.requests.length, 0);
  await Promise.all(engines.map((engine) => engine.close()));
  await Promise.all([server.stop(), run.clean()]);
});

test('the local engine does not stand in for a workflow of a caller, of which it makes nothing', async () => {
  const local = { ...testEngine(), name: 'local' };
  const away = async () => {
    throw engineBroke('The GPU is away.');
  };
  const engine = withFallback({ ...testEngine(), run: away }, [local]);
  const filter = { ...pictureWorkflow(), kind: 'workflow' } as const;
  const run = await directRun(Buffer.from(photo, 'base64'), { filter });
  await assert.rejects(engine.run(run.request, run.context), { code: 'ENGINE_BROKE' });
  assert.equal(local.requests.length, 0);
  await run.clean();
});

test('an engine on trial makes its share of the jobs, and the next route the others', async () => {
  const routes = comfyuiPlan([]).routes.filter(({ workflows }) => workflows.length > 0);
  const [first] = routes;
  const plan = { ...comfyuiPlan([]), routes: [{ ...first!, share: 0.05 }], local: true };
  const local = { ...testEngine(), name: 'local' };
  const choice = { createLocal: () => local };
  const engines = createEngines(temporaryConfig(), plan, choice);
  const { request, clean } = await directRun(Buffer.from(photo, 'base64'));
  const makers = Array.from({ length: 4000 }, () => engineFor(engines, { ...request, jobId: newId() }).name);
  const onTrial = makers.filter((name) => name === 'gpu').length / makers.length;
  assert.ok(onTrial > 0.035 && onTrial < 0.065, String(onTrial));
  // What is asked before a job is accepted counts on those that make all.
  assert.equal(canMake(engines[0]!, needsOf(request)), false);
  await Promise.all([...engines.map((engine) => engine.close()), clean()]);
  assert.throws(
    () => createEngines(temporaryConfig(), { ...plan, local: false }, choice),
    /has a share, and no route after it makes the others/,
  );
});

describe('an engine that stands in', () => {
  const broken: Engine = {
    ...testEngine(),
    name: 'first',
    async run(_, context) {
      await context.saveHandle('of the first');
      throw engineBroke('It broke.');
    },
  };
  const runOn = async (engine: Engine, handle: string | null = null) => {
    const { request, context, handles, clean } = await directRun(Buffer.from(photo, 'base64'), {}, handle);
    const result = await engine.run(request, context).catch((error: Error) => error);
    await clean();
    return { result, handles };
  };

  test('is gone on with by another process, which does not ask the first again', async () => {
    const second = Object.assign(testEngine(), { name: 'second' });
    const seen: (string | null)[] = [];
    second.before = async (_, context) => {
      seen.push(context.handle);
      await context.saveHandle('of the second');
    };
    const engine = withFallback(broken, [second]);
    const { handles } = await runOn(engine);
    const resumed = await runOn(engine, handles.at(-1)!);
    assert.ok(!(resumed.result instanceof Error));
    assert.deepEqual(resumed.result.applied.at(-1), {
      kind: 'engine',
      value: 'second',
      reason: 'first could not',
    });
    assert.deepEqual(seen, ['', 'of the second']);
    assert.ok(!resumed.handles.includes('of the first'));
  });

  test('leaves what the first had stored when it gives up too', async () => {
    const second = Object.assign(testEngine(), { name: 'second' });
    second.before = async (_, context) => {
      await context.saveHandle('of the second');
      await context.saveHandle('');
      throw engineBroke('It broke as well.');
    };
    const { result, handles } = await runOn(withFallback(broken, [second]));
    assert.match(String(result), /as well/);
    assert.equal(handles.at(-1), 'of the first');
  });

  test('is the next route that makes the request; a route that nobody comes after is refused', async () => {
    const [away, busy] = [await comfyuiServer(), await comfyuiServer()];
    await away.stop();
    const near = comfyuiPlan([away], { fallback: 'next' });
    const far = { ...comfyuiPlan([busy]).engines.gpu! };
    const [route] = near.routes.filter(({ fallback }) => fallback);
    const plan = {
      engines: { ...near.engines, far },
      // Of these, the second makes other filters alone.
      routes: [
        route!,
        { ...route!, engine: 'local', filters: ['99'], fallback: undefined, workflows: [] },
        { ...route!, engine: 'far', fallback: undefined },
      ],
      local: false,
    } as EnginesPlan;
    const local = { ...testEngine(), name: 'local' };
    const timeLimits = { noServerMs: 200, healthMs: 100 };
    const engines = createEngines(temporaryConfig(), withShortWaits(plan, { timeLimits }), {
      createLocal: () => local,
    });
    const { request, context, clean } = await directRun(Buffer.from(photo, 'base64'));
    const { applied } = await engineFor(engines, request).run(request, context);
    assert.deepEqual(applied.at(-1), { kind: 'engine', value: 'far', reason: 'gpu could not' });
    assert.deepEqual([local.requests.length, busy.accepted.length], [0, 1]);
    await Promise.all([...engines.map((engine) => engine.close()), busy.stop(), clean()]);
    assert.throws(
      () => createEngines(temporaryConfig(), { ...plan, routes: [route!] }, { createLocal: () => local }),
      /falls back to the next route, and none after it makes any of it/,
    );
  });
});

test('the doctor finds what a server lacks, a server that is gone, and a key that is wrong', async () => {
  const [server, gone, cloudy] = [await comfyuiServer(), await comfyuiServer(), await runpodServer()];
  await gone.stop();
  const plan = comfyuiPlan([server, gone]);
  plan.engines.cloud = runpodPlan(cloudy).engines.cloud!;
  plan.engines.wrong = { ...runpodPlan(cloudy).engines.cloud!, key: 'no' } as RunpodPlan;
  const look = async () =>
    Promise.all(inspections(plan).map((one) => one.check().catch((error: Error) => `BAD ${error.message}`)));
  assert.deepEqual(await look(), [
    'answers, 14 nodes, everything that 4 workflows need',
    'BAD does not answer as ComfyUI: nothing listens on that port. Start ComfyUI there, with --listen and an address that this machine reaches',
    'answers, the key is good',
    'BAD GET health: 401',
  ]);
  plan.routes[1]!.workflows[0]!.workflow['1']!.inputs.ckpt_name = 'other.safetensors';
  assert.match(
    (await look())[0]!,
    /lacks something: workflow\.1\.inputs\.ckpt_name: the server does not have "other/,
  );
  await Promise.all([server.stop(), cloudy.stop()]);
});

describe('several servers', () => {
  const servers = (weights: number[]) =>
    comfyuiServers(
      weights.map((weight, i) => ({ url: `http://127.0.0.1:${9000 + i}`, weight, jobs: 10, headers: {} })),
    );
  const never = new AbortController().signal;

  test('share the work by their weights', async () => {
    const pool = servers([3, 1]);
    const taken = [];
    for (let n = 0; n < 8; n++) {
      for (const server of pool.list()) server.circuit.reached();
      taken.push((await pool.acquire(never, new Set())).server.url.at(-1));
    }
    assert.deepEqual([taken.filter((name) => name === '0').length, taken.length], [6, 8]);
    await pool.close();
  });

  test('are left alone while they are down, and used again when they answer', async () => {
    const one = await comfyuiServer();
    const pool = comfyuiServers([{ url: one.url, weight: 1, jobs: 1, headers: {} }], { healthMs: 50 });
    await until(async () => pool.list()[0]!.circuit.state() === 'up');
    await one.kill();
    await until(async () => pool.list()[0]!.circuit.state() === 'down');
    await one.start();
    await until(async () => pool.list()[0]!.circuit.state() === 'up');
    await pool.close();
    await one.stop();
  });

  test('rest after three failures in a row, longer each time, and then get one job to try', () => {
    let now = 0;
    const breaker = circuit(() => now);
    for (let n = 0; n < 3; n++) breaker.failed();
    assert.equal(breaker.state(), 'resting');
    assert.equal(breaker.allows(0), false);
    now += 15_001;
    assert.deepEqual([breaker.allows(0), breaker.allows(1)], [true, false]);
    breaker.failed();
    now += 15_001;
    assert.equal(breaker.allows(0), false);
    now += 15_001;
    breaker.worked();
    assert.equal(breaker.allows(5), true);
  });
});
