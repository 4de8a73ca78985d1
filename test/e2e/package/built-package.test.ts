import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildPackage } from '../../../tools/package/build-package.ts';
import { machineNode } from '../clients/outside-folder.ts';

/** The package as it is built, with what npm would install beside it linked from the repository. */

const root = join(import.meta.dirname, '../../..');
const parent = mkdtempSync(join(tmpdir(), 'guise-package-'));
const folder = join(parent, 'node_modules/guise');
const command = join(folder, 'packages/server/src/cli/guise.js');
const run = promisify(execFile);

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  bundleDependencies: string[];
}
let manifest: Manifest;
let files: string[];

before(async () => {
  await buildPackage(folder);
  manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  files = globSync('**/*', { cwd: folder, exclude: (path) => path === 'node_modules' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => statSync(join(folder, path)).isFile());
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@guise' && name !== 'guise')
      symlinkSync(join(root, 'node_modules', name), join(parent, 'node_modules', name), 'junction');
  }
});
after(() => rmSync(parent, { recursive: true, force: true }));

const codeFiles = () => files.filter((file) => /^packages\/(?!studio\/|booth\/).*\.js$/.test(file));

test('every import of the package leads to a file in it or to a dependency that it names', () => {
  const broken = codeFiles().flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const specifiers = text.matchAll(
      /(?:^(?:import|export)\s[^;'"()]*?\bfrom\s+|^import\s+|\bimport\(\s*|import\.meta\.resolve\(\s*)'([^'\n]+)'/gm,
    );
    const modules = text.matchAll(/new URL\(\s*'([\w./-]+\.\w+)',\s*import\.meta\.url/g);
    const found = [...specifiers].map(([, name]) => name!);
    return [...found, ...[...modules].map(([, name]) => (name!.startsWith('.') ? name! : `./${name}`))]
      .filter((name) => !isThere(file, name))
      .map((name) => `${file} imports ${name}`);
  });
  assert.ok(codeFiles().length > 400, `${codeFiles().length} files`);
  assert.deepEqual(broken, []);
});

function isThere(file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) return existsSync(join(folder, dirname(file), specifier));
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return true;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/') in manifest.dependencies;
}

test('the package holds what runs and nothing else: no TypeScript, no tests, no tools', () => {
  const allowed =
    /^(catalog|packages\/(contract|engine|client|server)\/src|packages\/(studio|booth)\/dist)\//;
  const beside = files.filter((file) => !allowed.test(file)).sort();
  assert.deepEqual(beside, [
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'guise.cmd',
    'guise.command',
    'package.json',
    'packages/server/package.json',
  ]);
  assert.deepEqual(
    files.filter((file) => /\.tsx?$|\.map$|(^|\/)(test|tools|bench|quality)\//.test(file)),
    [],
  );
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  assert.ok(bytes < 40e6, `${bytes} bytes without dependencies`);
});

test('every dependency has one exact version, and those with dependencies of their own come with the package', () => {
  const versions = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries(versions)) assert.match(version, /^\d+\.\d+\.\d+/, name);
  for (const name of manifest.bundleDependencies)
    assert.ok(existsSync(join(folder, 'node_modules', name, 'package.json')), name);
  const bundled = globSync('node_modules/**/package.json', { cwd: folder });
  assert.ok(bundled.length > 100);
  const withScripts = bundled.filter((file) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
  });
  assert.deepEqual(withScripts, []);
});

test('libraries of every platform that has a Node in npm are in the package', () => {
  const runtime = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  for (const platform of ['linux/x64', 'linux/arm64', 'darwin/arm64', 'win32/x64'])
    assert.ok(existsSync(join(runtime, platform, 'onnxruntime_binding.node')), platform);
});

test('libraries of GPUs, and what else is in packages that carry a model, stay out of the package', () => {
  const files = globSync('node_modules/**/*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  const unneeded = /\/(DirectML|dxcompiler|dxil)\.dll$|win32\/arm64|\.map$|bintrees\/test/;
  assert.deepEqual(
    files.filter((file) => unneeded.test(file)),
    [],
  );
  const carried = files
    .filter((file) => /\/virtual-background\/.*\.\w+$/.test(file))
    .map((file) => basename(file));
  assert.deepEqual(carried.sort(), ['package.json', 'selfie_multiclass_256x256.tflite']);
});

test('the command runs with the Node of the machine, which may be older', async () => {
  const { stdout } = await run(machineNode(), [command, '--help']);
  assert.match(stdout, /^Usage: guise /);
});

test('a start from the package serves the studio, the catalog and the reference, and has the engine', async () => {
  const child = spawn(machineNode(), [command, 'start'], {
    cwd: parent,
    env: { ...process.env, PORT: '0', GUISE_DATA_DIR: join(parent, 'data'), GUISE_LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const { url, key } = await readWelcome(child);
    const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
    const page = await (await get('/', { accept: 'text/html' })).text();
    const [, script] = /src="([^"]+\.js)"/.exec(page) ?? [];
    assert.equal((await get(script!)).status, 200);
    assert.equal((await get('/docs/swagger-ui-bundle.js')).status, 200);
    const filters = (await (await get('/v1/filters', { 'x-api-key': key })).json()) as {
      preview_url: string;
    }[];
    assert.ok(filters.length > 30);
    assert.equal((await fetch(filters[0]!.preview_url)).status, 200);
    const ready = (await (await get('/ready')).json()) as object;
    assert.ok(JSON.stringify(ready).includes('local'), JSON.stringify(ready));
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
});

async function readWelcome(child: ChildProcess): Promise<{ url: string; key: string }> {
  const found = { url: '', key: '' };
  for await (const line of createInterface(child.stdout!)) {
    found.url ||= /listening on (\S+)/.exec(line)?.[1] ?? '';
    found.key ||= /^ {2}(gk_\w+)$/.exec(line)?.[1] ?? '';
    if (found.url && found.key) return found;
  }
  throw new Error('the server ended before it listened');
}
