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

before(async () => {
  files = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    if (hold) response.write(content.subarray(0, content.length / 2));
    else response.end(content);
  });
  await once(files.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
after(() => files.close().closeAllConnections());
beforeEach(() => {
  hold = false;
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

test('nothing begins where nothing is lacking', () => {
  downloads.start('gpu', lacking(), '');
  assert.deepEqual(downloads.state(), { running: null, last: null });
  rmSync(models, { recursive: true });
});
