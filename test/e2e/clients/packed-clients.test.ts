import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKeyProxy } from '@guise/client/key-proxy.ts';
import { toNodeHandler } from '@guise/client/node-handler.ts';
import sharp from 'sharp';
import { startBrowser } from '../../../packages/server/test/support/browser.ts';
import { tinyMp4, tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import { buildClient, runTsc } from '../../../tools/client/build-client.ts';
import {
  installPythonClient,
  machineNode,
  needsPython,
  type OutsideFolder,
  outsideFolders,
  root,
  startClientServer,
} from './outside-folder.ts';

const folders = outsideFolders();
const built = join(root, 'packages/client/dist');
let server: Awaited<ReturnType<typeof startClientServer>>;
let tarball: string;
let packed: { filename: string; files: { path: string }[] };

before(async () => {
  server = await startClientServer();
  await buildClient(built);
  const folder = folders.make();
  const words = ['pack', '--json', '--pack-destination', folder.path, built];
  [packed] = JSON.parse(await folder.run('npm', words));
  tarball = join(folder.path, packed.filename);
});
after(async () => {
  await server.stop();
  folders.remove();
});

/** An empty folder into which the package is installed as anybody would install it, with a program beside it. */
async function installed(program: string): Promise<OutsideFolder> {
  const folder = folders.make();
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module","private":true}');
  await folder.run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]);
  copyFileSync(join(import.meta.dirname, 'programs', program), join(folder.path, program));
  return folder;
}

interface Seen {
  progress: number[];
  cancelled: unknown;
  refused: unknown;
  lastStatus: string;
}

function checkResults(folder: OutsideFolder, prefix = ''): void {
  const read = (name: string) => readFileSync(join(folder.path, prefix + name));
  assert.deepEqual(read('picture.png'), tinyPng);
  assert.deepEqual(read('group.png'), tinyPng);
  assert.deepEqual(read('video.mp4'), tinyMp4);
}

function checkSeen(seen: Seen): void {
  assert.equal(seen.progress.at(-1), 1);
  assert.deepEqual(seen.progress, seen.progress.toSorted());
  // The job that was left is the newest one.
  assert.equal(seen.lastStatus, 'FAILED');
}

test('the package holds JavaScript and declarations alone, and depends on nothing', () => {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  assert.deepEqual([manifest.dependencies, manifest.private], [undefined, undefined]);
  const names = packed.files.map(({ path }) => path);
  assert.deepEqual(names.filter((name) => !/\.(js|d\.ts)$/.test(name)).sort(), [
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  const code = names.filter((name) => /\.(js|ts)$/.test(name));
  const imports = code.flatMap((name) => [
    ...readFileSync(join(built, name), 'utf8').matchAll(/\b(?:from|import\()\s*['"]([^'"]+)/g),
  ]);
  assert.ok(imports.length > code.length);
  assert.deepEqual(
    imports.map(([, path]) => path!).filter((path) => !path.startsWith('.')),
    [],
  );
});

test('the types of the package are those of the contract', () => {
  const types = readFileSync(join(built, 'contract/types.d.ts'), 'utf8');
  const declared = [...types.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name!);
  assert.ok(declared.length > 60);
  const modules = contractModules();
  const lines = declared
    .filter((name) => modules.has(name))
    .map(
      (name) =>
        `export type Check${name} = Fits<import('@guise/contract/${modules.get(name)}').${name}, types.${name}>;`,
    );
  assert.ok(lines.length > 60, `${lines.length} of ${declared.length}`);
  const check = join(built, 'check.ts');
  writeFileSync(
    check,
    `import type * as types from './contract/types.js';\ntype Fits<Given extends Wanted, Wanted> = Given;\n${lines.join('\n')}\n`,
  );
  try {
    const options = [
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
    ];
    runTsc([...options, '--strict', '--noEmit', '--types', 'node', '--ignoreConfig', check]);
  } finally {
    rmSync(check);
  }
});

/** The file of the contract that exports each type. */
function contractModules(): Map<string, string> {
  const folder = join(root, 'packages/contract/src');
  return new Map(
    globSync('**/*.ts', { cwd: folder }).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm)].map(
        ([, name]) => [name!, file] as const,
      ),
    ),
  );
}

test('plain JavaScript in an empty folder makes a picture, a group and a video, cancels and is refused', async () => {
  const folder = await installed('booth.js');
  const seen = JSON.parse(await folder.run(machineNode(), ['booth.js'], server.env));
  checkResults(folder);
  checkSeen(seen);
  assert.equal(seen.cancelled, 'AbortError');
  assert.deepEqual(seen.refused, ['FILTER_NOT_FOUND', 422, 'string']);
});

test('strict TypeScript in an empty folder does the same, with the types of Node or those of browsers', async () => {
  const folder = await installed('booth.ts');
  copyFileSync(join(import.meta.dirname, 'programs/page.ts'), join(folder.path, 'page.ts'));
  const strict = [
    ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
    ['--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false', '--ignoreConfig'],
  ].flat();
  const typeRoots = join(root, 'node_modules/@types');
  runTsc(
    [...strict, '--lib', 'es2022', '--types', 'node', '--typeRoots', typeRoots, 'booth.ts'],
    folder.path,
  );
  runTsc([...strict, '--lib', 'es2022,dom', '--types', '', 'page.ts'], folder.path);
  assert.ok(existsSync(join(folder.path, 'page.js')));
  const seen = JSON.parse(await folder.run(machineNode(), ['booth.js'], server.env));
  checkResults(folder);
  checkSeen(seen);
  assert.deepEqual([seen.cancelled, seen.hasLink], ['AbortError', true]);
  assert.deepEqual(seen.refused, ['FILTER_NOT_FOUND', 422, 'string']);
});

/** A server of a customer: a page, the package's files, and the proxy that holds the key. */
async function startPageServer(): Promise<{ address: string; close(): void }> {
  const { GUISE_URL: baseUrl, GUISE_KEY: apiKey } = server.env;
  const prefix = '/api/guise';
  const proxy = toNodeHandler(createKeyProxy({ baseUrl, apiKey, prefix, authorize: () => true }));
  const pages = createServer((request, response) => {
    const { url = '/' } = request;
    if (url.startsWith(prefix)) return void proxy(request, response);
    const script = url.startsWith('/client/') && url.endsWith('.js');
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.end(script ? readFileSync(join(built, url.slice('/client/'.length))) : '<title>Booth</title>');
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const { port } = pages.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => pages.close().closeAllConnections() };
}

test('a page makes a picture through a proxy that holds the key, of a photo that it has downscaled', async () => {
  const pages = await startPageServer();
  const browser = await startBrowser();
  const sizes: (number | undefined)[][] = [];
  const { before } = server.engine;
  server.engine.before = async (request, context) => {
    const { width, height } = await sharp(request.images[0]).metadata();
    sizes.push([width, height]);
    await before(request, context);
  };
  try {
    const page = await browser.newPage();
    await page.goto(pages.address);
    const seen = await page.evaluate<{ url: string; progress: number[]; shares: number[] }>(`(async () => {
      const { Guise } = await import('/client/index.js');
      const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 1500 });
      canvas.getContext('2d').fillRect(0, 0, 3000, 1500);
      const photo = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
      const [progress, shares] = [[], []];
      const guise = new Guise({ baseUrl: '/api/guise', downscale: true });
      const picture = await guise.faceSwap({ photo, filter: 1, gender: 'group' }, {
        onProgress: (job) => progress.push(job.progress),
        onUpload: (share) => shares.push(share),
      });
      return { url: picture.url, progress, shares };
    })()`);
    assert.equal(seen.url, `data:image/png;base64,${tinyPng.toString('base64')}`);
    assert.deepEqual([seen.progress.at(-1), seen.shares.at(-1)], [1, 1]);
    assert.deepEqual(sizes, [[2048, 1024]]);
  } finally {
    server.engine.before = before;
    await browser.close();
    pages.close();
  }
});

test(
  'Python in an empty folder does the same, with calls that block and with asyncio',
  needsPython,
  async () => {
    const folder = folders.make();
    const env = { ...(await installPythonClient(folder)), ...server.env };
    copyFileSync(join(import.meta.dirname, 'programs/booth.py'), join(folder.path, 'booth.py'));
    const [blocking, awaited] = JSON.parse(await folder.run('python3', ['-W', 'error', 'booth.py'], env));
    for (const [seen, prefix] of [
      [blocking, ''],
      [awaited, 'async-'],
    ]) {
      checkResults(folder, prefix);
      checkSeen(seen);
      assert.equal(seen.cancelled, true);
      assert.deepEqual(seen.refused, ['FILTER_NOT_FOUND', 422, 'str']);
    }
    assert.equal(blocking['adds up'], true);
  },
);
