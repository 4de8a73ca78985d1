import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import {
  createEngineDownloads,
  type EngineDownloads,
} from '../../../src/app/installation/engine-downloads.ts';
import { cards } from '../../../src/engines/comfyui/setup/cards.ts';
import type { FileToGet, SetupProposal } from '../../../src/engines/comfyui/setup/propose-setup.ts';

const content = Buffer.alloc(200_000, 5);
let files: Server;
let origin: string;
let models: string;
let downloads: EngineDownloads;
/** Of the file server: `hold` sends half of each file and then nothing. */
let hold = false;
let manager: FakeManager;

before(async () => {
  files = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    if (hold) response.write(content.subarray(0, content.length / 2));
    else response.end(content);
  });
  await once(files.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  manager = await fakeManager();
});
after(() => {
  files.close().closeAllConnections();
  manager.server.close().closeAllConnections();
});
beforeEach(() => {
  hold = false;
  manager.queue = { total_count: 2, done_count: 1, is_processing: true };
  manager.status = 200;
  models = mkdtempSync(join(tmpdir(), 'guise-models-'));
  mkdirSync(join(models, 'vae'));
  downloads = createEngineDownloads(pino({ level: 'silent' }));
});

const file = (name: string, more: Partial<FileToGet> = {}): FileToGet => ({
  file: name,
  folder: 'vae',
  from: `${origin}/${name}`,
  size: '0.01 GB',
  licence: 'MIT',
  commercial: 'yes',
  gated: false,
  for: [],
  ...more,
});

/** A server of this machine that lacks these files. */
const lacking = (...toGet: FileToGet[]): SetupProposal => ({
  card: cards[0]!,
  choice: { routes: [], unfit: [] },
  servers: [
    {
      server: {
        url: 'http://127.0.0.1:8188',
        access: {},
        inventory: {
          version: '0.27.0',
          info: {},
          gpu: 'NVIDIA Test',
          vramGb: 8,
          files: new Map(),
          folders: new Map([['vae', join(models, 'vae')]]),
          hasManager: false,
        },
      },
      problem: null,
      located: [],
      toGet,
      packs: [],
      others: [],
    },
  ],
});

/** ComfyUI-Manager, which takes on all files. */
interface FakeManager {
  server: Server;
  url: string;
  /** What it says of its queue. */
  queue: { total_count: number; done_count: number; is_processing: boolean };
  /** Of its answers about the queue. */
  status: number;
}

async function fakeManager(): Promise<FakeManager> {
  const listed = ['a.safetensors', 'b.safetensors'].map((name) => ({
    ...{ filename: name, url: file(name).from },
    ...{ save_path: 'vae', base: 'test', name },
  }));
  const server = createServer((request, response) => {
    const isList = request.url?.startsWith('/externalmodel');
    response.writeHead(isList ? 200 : fake.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? { models: listed } : fake.queue));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeManager = {
    ...{ server, url, status: 200 },
    queue: { total_count: 0, done_count: 0, is_processing: false },
  };
  return fake;
}

/** The same files for a server elsewhere, with ComfyUI-Manager. */
function elsewhere(url: string, ...toGet: FileToGet[]): SetupProposal {
  const here = lacking(...toGet);
  const [one] = here.servers;
  const inventory = { ...one!.server.inventory, folders: new Map(), hasManager: true };
  return { ...here, servers: [{ ...one!, server: { ...one!.server, url, inventory } }] };
}

async function ended() {
  while (downloads.state().running) await sleep(20);
  rmSync(models, { recursive: true });
  return downloads.state().last!;
}

test('every file comes into its folder, and the files are counted', async () => {
  downloads.start('gpu', lacking(file('a.safetensors'), file('b.safetensors')), '');
  const { running } = downloads.state();
  assert.deepEqual([running?.engine, running?.number, running?.files], ['gpu', 1, 2]);
  while (downloads.state().running) await sleep(20);
  assert.deepEqual(readFileSync(join(models, 'vae/a.safetensors')), content);
  assert.deepEqual(readFileSync(join(models, 'vae/b.safetensors')), content);
  assert.deepEqual(await ended(), { engine: 'gpu', left: [], error: null });
});

test('one is under way at a time, and a stopped one keeps what came', async () => {
  hold = true;
  downloads.start('gpu', lacking(file('a.safetensors')), '');
  while ((downloads.state().running?.done ?? 0) < content.length / 2) await sleep(20);
  assert.equal(downloads.state().running?.total, content.length);
  downloads.start('other', lacking(file('b.safetensors')), '');
  assert.equal(downloads.state().running?.engine, 'gpu');
  downloads.stop();
  while (downloads.state().running) await sleep(20);
  assert.equal(readFileSync(join(models, 'vae/a.safetensors.part')).length, content.length / 2);
  assert.ok(!existsSync(join(models, 'vae/b.safetensors')));
  assert.match((await ended()).error!, /was stopped\. What came so far is kept/);
});

test('a file that is not the right one is deleted, and named', async () => {
  const wrong = file('a.safetensors', { sha256: '0'.repeat(64) });
  downloads.start('gpu', lacking(wrong, file('b.safetensors')), '');
  while (downloads.state().running) await sleep(20);
  assert.ok(!existsSync(join(models, 'vae/a.safetensors')));
  assert.match((await ended()).error!, /a\.safetensors/);
});

test('nothing begins where nothing is lacking, and that is said', async () => {
  await downloads.start('gpu', lacking(), '');
  const error = 'There is nothing to download for these servers.';
  assert.deepEqual(await ended(), { engine: 'gpu', left: [], error });
});

test('one that is begun while another is being stopped begins after it', async () => {
  hold = true;
  downloads.start('gpu', lacking(file('a.safetensors')), '');
  while ((downloads.state().running?.done ?? 0) < content.length / 2) await sleep(20);
  hold = false;
  downloads.stop();
  await downloads.start('other', lacking(file('b.safetensors')), '');
  assert.equal(downloads.state().running?.engine, 'other');
  while (downloads.state().running) await sleep(20);
  assert.ok(existsSync(join(models, 'vae/b.safetensors')));
  assert.deepEqual(await ended(), { engine: 'other', left: [], error: null });
});

test('a server that stops waits for its end, and none begins after that', async () => {
  hold = true;
  downloads.start('gpu', lacking(file('a.safetensors')), '');
  while ((downloads.state().running?.done ?? 0) < content.length / 2) await sleep(20);
  await downloads.close();
  assert.equal(downloads.state().running, null);
  await assert.rejects(downloads.start('gpu', lacking(file('b.safetensors')), ''), { code: 'OVERLOADED' });
  assert.equal(downloads.state().running, null);
  await ended();
});

test('of a download by ComfyUI-Manager the file is named, and that it goes on when nobody waits for it', async () => {
  downloads.start('gpu', elsewhere(manager.url, file('a.safetensors'), file('b.safetensors')), '');
  while (downloads.state().running?.number !== 2) await sleep(20);
  assert.deepEqual(downloads.state().running, {
    engine: 'gpu',
    file: 'b.safetensors',
    number: 2,
    files: 2,
    done: 0,
    total: 0,
  });
  downloads.stop();
  assert.match((await ended()).error!, /^Guise no longer waits.*ComfyUI-Manager goes on/);
});

test('a ComfyUI-Manager that refuses or is away leaves the files to the script', async () => {
  manager.status = 403;
  downloads.start('gpu', elsewhere(manager.url, file('c.safetensors')), '');
  while (downloads.state().running) await sleep(20);
  assert.deepEqual(downloads.state().last, { engine: 'gpu', left: ['c.safetensors'], error: null });
  manager.status = 200;
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  downloads.start('gpu', elsewhere(`http://127.0.0.1:${port}`, file('a.safetensors')), '');
  const { left, error } = await ended();
  assert.deepEqual(left, ['a.safetensors']);
  assert.equal(
    error,
    `ComfyUI-Manager at 127.0.0.1:${port} does not answer. What is left is for the script.`,
  );
});
