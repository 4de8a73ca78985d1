import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { cards, workflowsOf } from '../../../src/engines/comfyui/setup/cards.ts';
import { enginesFileFor } from '../../../src/engines/comfyui/setup/engines-file-for.ts';
import { chooseGetter, getFiles } from '../../../src/engines/comfyui/setup/get-files.ts';
import { locateFiles } from '../../../src/engines/comfyui/setup/locate-files.ts';
import {
  chooseCard,
  type FileToGet,
  proposeSetup,
  type ServerToSetUp,
} from '../../../src/engines/comfyui/setup/propose-setup.ts';
import type { WholeInventory } from '../../../src/engines/comfyui/setup/read-inventory.ts';
import { readEnginesFile } from '../../../src/engines/engines-file.ts';
import { inventoryServer } from '../../support/comfyui-inventory.ts';
import { referenceNodes, referenceWeights } from '../../support/comfyui-reference-nodes.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');
const small = cards[0]!;
const large = cards.at(-1)!;

let folder: string;
const stops: (() => unknown)[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-setup-'));
});
after(async () => {
  for (const stop of stops) await stop();
  await rm(folder, { recursive: true, force: true });
});

interface FakeServer {
  weights?: readonly string[];
  vramGb?: number;
  authorization?: string;
  models?: string;
}

async function fakeServer({ weights = [], vramGb = 24, ...having }: FakeServer = {}): Promise<string> {
  const server = await inventoryServer(referenceNodes(weights), { version: '0.27.0', vramGb, ...having });
  stops.push(server.stop);
  return server.url;
}

function serverWith(
  weights: readonly string[],
  more: Partial<WholeInventory> = {},
  url = 'http://10.0.0.5:8188',
): ServerToSetUp {
  const inventory = {
    version: '0.27.0',
    info: referenceNodes(weights),
    gpu: 'NVIDIA Test',
    vramGb: 24,
    files: new Map(),
    folders: new Map(),
    hasManager: false,
    ...more,
  };
  return { url, access: {}, inventory };
}

const namesOf = (files: readonly FileToGet[]) => files.map(({ file }) => file);

describe('the proposal', () => {
  test('is by the smallest card, unless another is said, and asks where there is no GPU', () => {
    const pair = [serverWith([], { vramGb: 47.4 }), serverWith([], { vramGb: 11.8 })];
    assert.equal(chooseCard(pair, undefined)?.vram_gb, 12);
    assert.equal(chooseCard(pair, 24)?.vram_gb, 24);
    assert.equal(chooseCard([serverWith([], { vramGb: null })], undefined), null);
  });

  test('names every file of the set once, in the form that the server reads best', () => {
    const filesFor = (version: string) =>
      namesOf(proposeSetup([serverWith([], { version })], large).servers[0]!.toGet);
    const files = filesFor('0.27.0');
    assert.equal(new Set(files).size, files.length);
    assert.ok(files.includes('qwen_image_edit_2511_int8_convrot.safetensors'));
    assert.ok(!files.includes('qwen_image_edit_2511_fp8mixed.safetensors'));
    assert.ok(filesFor('0.20.0').includes('qwen_image_edit_2511_fp8mixed.safetensors'));
  });

  test('downloads nothing for what the server is too old for, and says so once', () => {
    const [server] = proposeSetup([serverWith([], { version: '0.7.0' })], small).servers;
    assert.ok(!namesOf(server!.toGet).some((file) => file.includes('klein')));
    assert.ok(namesOf(server!.toGet).some((file) => file.includes('wan2.2')));
    assert.equal(server!.others.length, 1);
    assert.match(server!.others[0]!, /0\.9\.2 or later is needed.*: for edit-klein, edit-klein-two-photos/);
    const [older] = proposeSetup([serverWith(referenceWeights, { version: '0.3.50' })], small).servers;
    assert.match(older!.problem!, /0\.3\.50 is too old/);
    assert.deepEqual(older!.toGet, []);
  });

  test('takes what is there before anything is downloaded, licences that are limited only when asked', () => {
    const ltx = referenceWeights.filter((file) => /ltx-2|gemma/.test(file));
    const chosen = (wishes: object) =>
      proposeSetup([serverWith(ltx)], large, wishes).choice.routes.flatMap((route) => route.families);
    assert.deepEqual(chosen({}), []);
    assert.deepEqual(chosen({ limitedLicences: true }), ['single_frame_video', 'first_last_frame_video']);
    const flux = proposeSetup([serverWith(['flux1-schnell-fp8.safetensors'])], large).choice.routes;
    assert.deepEqual(
      flux[0]?.workflows.map(({ name }) => name),
      ['self-prompt-flux'],
    );
  });

  test('needs one server of several that can run a workflow, and names what the others lack', () => {
    const { servers, choice } = proposeSetup([serverWith([]), serverWith(referenceWeights)], small);
    assert.ok(choice.routes.length > 0);
    assert.deepEqual([servers[0]!.toGet.length > 0, servers[1]!.toGet], [true, []]);
  });
});

describe('weights', () => {
  const wan = (name: string) => `wan2.2_i2v_${name}_noise_14B_fp8_scaled.safetensors`;
  const located = (server: ServerToSetUp) =>
    [...locateFiles(server.inventory, workflowsOf(large)).values()].map(({ as, how }) => [as, how]);

  test('are found in folders below, on any system', () => {
    assert.deepEqual(located(serverWith([`Wan/${wan('high')}`, `Wan\\${wan('low')}`])), [
      [`Wan/${wan('high')}`, 'in a folder below'],
      [`Wan\\${wan('low')}`, 'in a folder below'],
    ]);
  });

  test('are found in another form, where the server reads it', () => {
    const int8 = 'edit/qwen_image_edit_2511_int8_convrot.safetensors';
    assert.deepEqual(located(serverWith([int8])), [[int8, 'in its place']]);
    assert.deepEqual(located(serverWith([int8], { version: '0.20.0' })), []);
  });

  test('are found under another name by their size, where only one file has it', () => {
    const files = (...names: string[]) =>
      new Map([['diffusion_models', names.map((name) => ({ name, bytes: 4_070_200_000 }))]]);
    const one = serverWith(['klein.safetensors'], { files: files('klein.safetensors') });
    assert.deepEqual(located(one), [['klein.safetensors', 'by its size']]);
    const two = ['klein.safetensors', 'copy.safetensors'];
    assert.deepEqual(located(serverWith(two, { files: files(...two) })), []);
    // The two experts of Wan are of one size: nothing tells them apart.
    const wanSize = new Map([['diffusion_models', [{ name: 'a.safetensors', bytes: 14_300_000_000 }]]]);
    assert.deepEqual(located(serverWith(['a.safetensors'], { files: wanSize })), []);
  });
});

describe('the engines file', () => {
  const { choice } = proposeSetup([serverWith(referenceWeights)], small);
  const wanted = {
    engine: 'gpu',
    servers: [{ url: 'http://10.0.0.5:8188', access: {}, files: { 'a.safetensors': 'b/a.safetensors' } }],
    routes: choice.routes,
    info: referenceNodes(),
    fallback: false,
  };
  const operators = {
    local: false,
    engines: {
      cloud: { type: 'runpod', endpoint: 'https://api.runpod.ai/v2/abc', key_from: 'RUNPOD_API_KEY' },
      gpu: {
        type: 'comfyui',
        servers: [
          { url: 'http://10.0.0.5:8188/', weight: 3, files: { old: 'name' } },
          { url: 'http://10.0.0.9:8188' },
        ],
      },
    },
    routes: [
      {
        families: 'face_swap_v6',
        filters: [12],
        engine: 'gpu',
        workflow: 'edit-klein',
        prompt: 'in a garden',
      },
      { families: ['face_swap_v6'], engine: 'gpu', workflow: ['portrait-photomaker'] },
      { families: ['face_swap_v6'], engine: 'gpu', workflow: ['./mine.json'] },
      { families: ['single_frame_video'], engine: 'cloud', workflow: 'video-wan22' },
      { families: ['face_swap_v6'], engine: 'gpu', nodes: ['LoadImage', 'MyNode'] },
    ],
  };

  test('keeps the operator’s engines, servers, settings and routes, and replaces its own routes', () => {
    const file = enginesFileFor(wanted, operators) as typeof operators;
    assert.equal(file.local, false);
    assert.deepEqual(file.engines.cloud, operators.engines.cloud);
    assert.deepEqual(file.engines.gpu.servers, [
      { url: 'http://10.0.0.5:8188/', weight: 3, files: { 'a.safetensors': 'b/a.safetensors' } },
      { url: 'http://10.0.0.9:8188' },
    ]);
    const [mine, , ...others] = operators.routes;
    const [first, second, third, ...rest] = file.routes;
    assert.deepEqual([first, second, third], [mine, others[0], others[1]]);
    assert.deepEqual(rest.at(-1), operators.routes.at(-1));
    assert.ok(!JSON.stringify(file).includes('photomaker'));
    assert.deepEqual(enginesFileFor(wanted, file), file);
  });
});

describe('files', () => {
  const file: FileToGet = {
    file: 'a.safetensors',
    folder: 'vae',
    from: 'https://example.com/a.safetensors',
    size: '0.01 GB',
    licence: 'MIT',
    commercial: 'yes',
    gated: false,
    for: [],
  };
  const options = {
    headers: {},
    signal: new AbortController().signal,
    token: undefined,
    progress: () => {},
  };

  async function nobodyThere(): Promise<string> {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    return `http://127.0.0.1:${port}`;
  }

  test('are got here where the folder is here, by ComfyUI-Manager where that is there, else by a script', async () => {
    const here = join(folder, 'models');
    await mkdir(join(here, 'vae'), { recursive: true });
    const folders = new Map([['vae', join(here, 'vae')]]);
    const getter = chooseGetter(serverWith([], { folders }, 'http://localhost:8188'), undefined);
    assert.equal(getter.by === 'this machine' && getter.folderOf('loras'), join(here, 'loras'));
    assert.equal(chooseGetter(serverWith([], { folders }), undefined).by, 'script');
    assert.equal(chooseGetter(serverWith([], { hasManager: true }), undefined).by, 'manager');
    assert.equal(chooseGetter(serverWith([]), '/srv/models').by, 'this machine');
    assert.deepEqual(await getFiles({ server: serverWith([]), toGet: [file] }, { by: 'script' }, options), [
      file,
    ]);
    // Whoever has no way out is told so, and a script is left.
    const away = { ...file, from: `${await nobodyThere()}/a.safetensors` };
    const told: string[] = [];
    const patient = { ...options, pauseMs: 1, told: (sentence: string) => void told.push(sentence) };
    assert.deepEqual(await getFiles({ server: serverWith([]), toGet: [away] }, getter, patient), [away]);
    assert.match(told.join(), /^127\.0\.0\.1:\d+ is not reached from here \(ECONNREFUSED\)\. What is left/);
    const full = { ...file, size: '999999 GB' };
    await assert.rejects(getFiles({ server: serverWith([]), toGet: [full] }, getter, options), /GB left/);
  });

  test('that are there are not got again, and what is there of others takes no space', async () => {
    const here = join(folder, 'shared');
    await mkdir(join(here, 'vae'), { recursive: true });
    const getter = chooseGetter(serverWith([]), here);
    const huge = { ...file, from: `${await nobodyThere()}/a.safetensors`, size: '999999 GB' };
    await writeFile(join(here, 'vae', file.file), 'abc');
    const get = (toGet: FileToGet[]) =>
      getFiles({ server: serverWith([]), toGet }, getter, { ...options, pauseMs: 1 });
    assert.deepEqual(await get([huge, { ...huge, bytes: 3 }]), []);
    await assert.rejects(get([{ ...huge, bytes: 4 }]), /GB left/, 'it is not the whole file');
    // A part of a terabyte that takes no room on the disk.
    const { bavail, bsize } = await statfs(here);
    const gigabytes = Math.ceil((bavail * bsize) / 1e9);
    const begun = { ...huge, file: 'b.safetensors', size: `${gigabytes + 1} GB` };
    await assert.rejects(get([begun]), /GB left/);
    await writeFile(join(here, 'vae', 'b.safetensors.part'), '');
    await truncate(join(here, 'vae', 'b.safetensors.part'), (gigabytes + 1) * 1e9);
    assert.deepEqual(await get([begun]), [begun], 'nobody listens there');
  });

  test('that ComfyUI-Manager lists are downloaded by it; others stay for a script', async () => {
    const asked: unknown[] = [];
    let polls = 0;
    const listed = { filename: file.file, url: file.from, save_path: 'vae', base: 'test', name: 'A' };
    const server = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      if (request.url === '/manager/queue/install_model') asked.push(JSON.parse(body));
      const answer = request.url?.startsWith('/externalmodel')
        ? { models: [listed] }
        : { total_count: 1, done_count: 1, is_processing: ++polls < 2 };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    stops.push(() => server.close().closeAllConnections());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = { ...file, file: 'b.safetensors' };
    const left = await getFiles(
      { server: serverWith([], {}, url), toGet: [file, other] },
      { by: 'manager' },
      options,
    );
    assert.deepEqual(left, [other]);
    assert.deepEqual(asked, [{ ...listed, ui_id: file.file }]);
  });
});

describe('guise engines setup', () => {
  const setup = (...words: string[]) =>
    promisify(execFile)(process.execPath, [main, 'engines', 'setup', ...words], {
      cwd: folder,
      env: { ...process.env, GPU_LOGIN: 'me:secret', GUISE_ENGINES: '' },
    });

  test('shows everything and writes nothing unless it is agreed to', async () => {
    const url = await fakeServer();
    const { stdout } = await setup('--server', url, '--write', 'shown.json');
    assert.match(stdout, /cuda:0 NVIDIA Test, 24 GB of VRAM/);
    assert.match(stdout, /to download, 14 files, about 8\d\.\d GB, all for commercial use/);
    assert.match(stdout, /Nothing was written/);
    assert.ok(!existsSync(join(folder, 'shown.json')) && !existsSync(join(folder, 'get-models.sh')));
  });

  test('sets up several servers, one behind a password, and writes a file that can be used', async () => {
    const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    const moved = referenceWeights.map((file) => `guise/${file}`);
    const urls = [
      await fakeServer({ weights: moved, authorization }),
      await fakeServer({ vramGb: 12, authorization }),
    ];
    const words = [
      '--server',
      ...urls,
      '--basic-from',
      'GPU_LOGIN',
      '--yes',
      '--no-try',
      '--write',
      'two.json',
    ];
    const { stdout } = await setup(...words);
    assert.match(stdout, /Set for cards of 12 GB/);
    assert.match(stdout, /has wan2\.2_vae\.safetensors in a folder below: guise\/wan2\.2_vae\.safetensors/);
    assert.match(stdout, /Written: get-models\.sh/);
    assert.match(await readFile(join(folder, 'get-models.sh'), 'utf8'), /flux-2-klein-4b-fp8/);
    const { engines, routes } = readEnginesFile(join(folder, 'two.json'), { GPU_LOGIN: 'me:secret' });
    assert.ok(engines.gpu?.type === 'comfyui' && engines.gpu.servers.length === 2);
    assert.equal(engines.gpu.servers[0]?.files?.['wan2.2_vae.safetensors'], 'guise/wan2.2_vae.safetensors');
    assert.ok(routes.some(({ files }) => files?.some(({ name }) => name === 'edit-klein-three-photos')));
    // Again, without naming the servers: they are in the file.
    const again = await setup('--yes', '--no-try', '--no-download', '--write', 'two.json', '--json');
    const { written, file, servers } = JSON.parse(again.stdout);
    assert.equal(written, true);
    assert.deepEqual(
      servers.map((one: { url: string }) => one.url),
      urls,
    );
    assert.deepEqual(file, JSON.parse(await readFile(join(folder, 'two.json'), 'utf8')));
  });

  test('writes the script for a card without a server', async () => {
    const { stdout } = await setup('--script-only', '--card', '24', '--script', 'volume.sh');
    assert.match(stdout, /14 files, about 8\d\.\d GB, all for commercial use, the set for cards of 24 GB/);
    assert.match(await readFile(join(folder, 'volume.sh'), 'utf8'), /qwen_image_edit_2511_fp8mixed/);
    await assert.rejects(setup('--script-only'), /--card is needed/);
  });

  test('names the option that is missing where nobody can be asked', async () => {
    await assert.rejects(setup('--write', 'none.json'), /--server is needed/);
    const url = await fakeServer({ vramGb: 24 });
    await assert.rejects(setup('--server', 'gpu:8188'), /must be an http or https address/);
    await writeFile(join(folder, 'broken.json'), '{');
    await assert.rejects(setup('--server', url, '--write', 'broken.json'), /broken\.json is no JSON/);
  });
});
