import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { photo, startTestServer } from '../../../packages/server/test/support/harness.ts';

/**
 * The plugin in photobooth-app itself, from PyPI or from a clone: `npm run test:photobooth-app [-- --source CLONE]`. Its
 * own loader imports the plugin and calls its hooks. What PyPI gives is kept below node_modules/.cache.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/photobooth-app');

/** What photobooth-app's loader imports. Of the last two it needs nothing but names for annotations. */
const needed = ['pluggy', 'pillow', 'pydantic-settings', 'jsonref'];
const named = {
  sqlalchemy: ['sqlalchemy', 'String', 'TypeDecorator'],
  'python-statemachine': ['statemachine', 'State', 'Event'],
} as const;

const { source } = parseArgs({ options: { source: { type: 'string' } } }).values;

async function main(): Promise<void> {
  const python = await openEnvironment();
  const app = source ? join(source, 'src') : await installApp(python);
  const standIns = await installNamed(python);
  const server = await startTestServer();
  const folder = mkdtempSync(join(tmpdir(), 'guise-photobooth-app-'));
  try {
    const { api_key } = await server.account();
    const plugin = join(folder, 'plugins/guise_filter');
    cpSync(join(root, 'integrations/photobooth-app/guise_filter'), plugin, { recursive: true });
    cpSync(join(root, 'clients/python/src/guise'), join(plugin, 'guise'), { recursive: true });
    mkdirSync(join(folder, 'config'));
    const settings = { server: server.url, api_key, gender: 'female' };
    writeFileSync(join(folder, 'config/plugin_guise_filter.json'), JSON.stringify(settings));
    writeFileSync(join(folder, 'guest.jpg'), Buffer.from(photo, 'base64'));
    const driver = join(import.meta.dirname, 'drive_real_loader.py');
    const env = { ...process.env, PYTHONPATH: [app, standIns].join(delimiter) };
    const { stdout } = await run(python, [driver, 'guest.jpg'], { cwd: folder, env });
    const { available, ...said } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    assert.ok(available >= 25, stdout);
    assert.ok(said.plugins.includes('guise_filter.guise_filter'), stdout);
    assert.deepEqual([said.unknown, said.pictures, said.foreign], [[], [true, true], null]);
    console.log(`photobooth-app loaded the plugin: ${available} filters, a preview and a picture.`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Python with what the loader cannot do without. */
async function openEnvironment(): Promise<string> {
  const python = join(cache, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (!existsSync(python)) await run('python3', ['-m', 'venv', cache]);
  await install(python, needed);
  return python;
}

async function installApp(python: string): Promise<string> {
  const target = join(cache, 'app');
  if (!existsSync(join(target, 'photobooth')))
    await install(python, ['--no-deps', '--target', target, 'photobooth-app']);
  return target;
}

const install = (python: string, words: readonly string[]) =>
  run(python, ['-m', 'pip', 'install', '--quiet', '--retries', '0', '--timeout', '10', ...words], {
    timeout: 120_000,
  });

/** A folder with empty modules for what pip cannot give, which it tells. */
async function installNamed(python: string): Promise<string> {
  const folder = join(cache, 'stand-ins');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, [module, ...names]] of Object.entries(named)) {
    const isThere = await run(python, ['-c', `import ${module}`])
      .catch(() => install(python, [name]))
      .then(
        () => true,
        () => false,
      );
    if (isThere) continue;
    console.log(`pip did not give ${name}; empty classes stand in for ${names.join(' and ')}.`);
    writeFileSync(join(folder, `${module}.py`), names.map((one) => `class ${one}: ...\n`).join(''));
  }
  return folder;
}

await main().catch((error) => {
  console.error(
    `The plugin was not run in photobooth-app itself; npm test runs it on a stand-in.\n${error.stderr ?? error.stack}`,
  );
  process.exitCode = 1;
});
