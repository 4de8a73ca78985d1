import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import sharp from 'sharp';
import { createEngineTrials, type EngineTrialRuns } from '../../../src/app/installation/engine-trials.ts';
import type { Config } from '../../../src/config.ts';
import { type EnginesPlan, readEnginesFile } from '../../../src/engines/engines-file.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { temporaryConfig } from '../../support/harness.ts';
import { pictureWorkflow } from '../../support/remote.ts';

let server: ComfyuiServer;
/** Of an engine that is not tried. */
let idle: ComfyuiServer;
let folder: string;
let config: Config;
let trials: EngineTrialRuns;
let plan: EnginesPlan;
const log = pino({ level: 'silent' });

before(async () => {
  server = await comfyuiServer();
  idle = await comfyuiServer();
  config = temporaryConfig();
  folder = mkdtempSync(join(tmpdir(), 'guise-trials-'));
  const about = { name: 'Test', about: 'A test.', families: ['face_swap_v6'] };
  const needs = { comfyui: '0.3.57', custom_nodes: [], models: [], vram: '1 GB' };
  const broken = pictureWorkflow();
  broken.workflow['1']!.inputs.ckpt_name = 'not-there.safetensors';
  for (const [name, definition] of Object.entries({
    good: pictureWorkflow(),
    'a#b': pictureWorkflow(),
    broken,
  }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...about, needs, definition }));
  const file = join(folder, 'engines.json');
  const servers = [{ url: server.url, gpu_hour_price: 3.6 }];
  const routes = [
    { engine: 'gpu', fallback: 'local', families: 'face_swap_v6', workflow: './good.json' },
    { engine: 'gpu', fallback: 'local', families: 'multi_swap_v5', workflow: './broken.json' },
    { engine: 'twice', families: 'face_swap_v6', share: 0.05, workflow: './a#b.json' },
    { engine: 'twice', families: 'face_swap_v6', workflow: './a#b.json' },
    { engine: 'other', families: 'face_swap_v6', workflow: './good.json' },
    { engine: 'idle', families: 'face_swap_v6', workflow: './good.json' },
    { engine: 'part', families: 'face_swap_v6', share: 0.05, workflow: './good.json' },
    { engine: 'other', families: 'face_swap_v6', workflow: './good.json' },
    { engine: 'bare', families: 'face_swap_v6', nodes: ['LoadImage'] },
  ];
  const comfyui = { type: 'comfyui', servers };
  const engines = {
    ...Object.fromEntries(['gpu', 'twice', 'other', 'part', 'bare'].map((name) => [name, comfyui])),
    idle: { type: 'comfyui', servers: [{ url: idle.url }] },
  };
  writeFileSync(file, JSON.stringify({ engines, routes }));
  plan = readEnginesFile(file, {});
  trials = createEngineTrials(config, log);
});
after(async () => {
  await Promise.all([server.stop(), idle.stop()]);
  rmSync(folder, { recursive: true });
  rmSync(config.dataDir, { recursive: true });
});

async function ended(engine: string) {
  for (;;) {
    const state = await trials.of(engine);
    if (state.running === null) return state;
    await sleep(20);
  }
}

test('each workflow of an engine makes a picture or says why not, with seconds and costs', async () => {
  trials.start('gpu', plan);
  const begun = await trials.of('gpu');
  assert.deepEqual([begun.running?.workflow, begun.workflows, begun.trials], ['./good.json', 2, []]);
  const { trials: made, error, made_at } = await ended('gpu');
  assert.equal(error, null);
  assert.ok(Date.parse(made_at!) > 0);
  const [good, broken, ...others] = made;
  assert.deepEqual(others, [], 'workflows of other engines are not tried');
  assert.ok(good!.gpu_seconds! > 0 && good!.seconds > 0, JSON.stringify(good));
  assert.ok(Math.abs(good!.cost_usd! - good!.gpu_seconds! / 1000) < 1e-6, JSON.stringify(good));
  assert.equal(broken!.url, null);
  assert.match(broken!.error!, /does not run on the GPU servers/);
  const { type, bytes, stream } = await trials.open('gpu', good!.url!.split('/').at(-1)!);
  const picture = Buffer.concat(await stream().toArray());
  assert.deepEqual([type, picture.length], ['image/png', bytes]);
  assert.equal((await sharp(picture).metadata()).width, 1200);
});

test('the servers of other engines are left alone', async () => {
  assert.deepEqual(idle.requests, []);
});

test('an engine that gets a share of the jobs is tried, though nobody makes the others', async () => {
  trials.start('part', plan);
  const { trials: made, error } = await ended('part');
  assert.deepEqual([made.length, made[0]?.error, error], [1, null, null]);
});

test('two routes with the same workflow have a picture each, whatever its name', async () => {
  trials.start('twice', plan);
  const { trials: made, error } = await ended('twice');
  assert.equal(error, null);
  const urls = made.map(({ url }) => new URL(url!, 'http://studio'));
  assert.equal(new Set(urls.map(({ pathname }) => pathname)).size, 2);
  for (const { pathname } of urls) {
    const { bytes } = await trials.open('twice', decodeURIComponent(pathname.split('/').at(-1)!));
    assert.ok(bytes > 0);
  }
});

test('an installation that several processes share has none: their pictures would be on one machine', async () => {
  const shared = createEngineTrials({ ...config, databaseUrl: 'postgres://db/guise' }, log);
  for (const known of [plan, null])
    assert.throws(() => shared.start('gpu', known), {
      code: 'RESTART_UNAVAILABLE',
      message: /engines check/,
    });
  assert.throws(() => trials.start('gpu', null), { code: 'NOT_FOUND' });
});

test('they are kept for the next start, and made anew', async () => {
  const before = await trials.of('gpu');
  const later = createEngineTrials(config, log);
  assert.deepEqual(await later.of('gpu'), before);
  trials.start('gpu', plan);
  assert.deepEqual((await trials.of('gpu')).trials, [], 'of the last ones nothing is shown meanwhile');
  assert.equal((await ended('gpu')).trials.length, 2);
});

test('a server that stops ends them, and says so', async () => {
  server.faults.slowMs = 60_000;
  const stopped = createEngineTrials(config, log);
  stopped.start('other', plan);
  while (server.accepted.length < 3) await sleep(20);
  await stopped.stop();
  const { running, error } = await stopped.of('other');
  assert.deepEqual([running, error], [null, 'The server was stopped.']);
  assert.throws(() => stopped.start('gpu', plan), { code: 'OVERLOADED' }, 'none begins after that');
  server.faults.slowMs = 0;
});

test('an engine without workflows is refused, and only its pictures are served', async () => {
  assert.throws(() => trials.start('bare', plan), { code: 'NOT_FOUND' });
  assert.deepEqual(await trials.of('nobody'), {
    running: null,
    trials: [],
    workflows: 0,
    error: null,
    made_at: null,
  });
  for (const [engine, file] of [
    ['gpu', 'trials.json'],
    ['gpu', '../../secret.png'],
    ['..', 'engines.json'],
    ['../gpu', 'x.png'],
    ['gpu', 'not-there.png'],
  ] as const)
    await assert.rejects(trials.open(engine, file), { code: 'NOT_FOUND' });
});
