import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { photo, startTestServer, type TestServer } from '../../../packages/server/test/support/harness.ts';
import { tinyPng } from '../../../packages/server/test/support/tiny-results.ts';
import { root } from './outside-folder.ts';

// Clients that others generate of the OpenAPI document. The tools are 176 MB, which `npm ci` of the repository does not
// bring: they are installed once for each state of the lock file, in 40 s. The test itself takes 13 s of a processor: 8 to generate, half of
// that for hey-api, 1 each to lint and to compile, the rest for the server.

const generators = join(root, 'test/generators');
const run = promisify(execFile);

let tools: string;
let work: string;
let server: TestServer;
before(async () => {
  [tools, server] = await Promise.all([installTools(), startTestServer()]);
  // Below the tools, so that generated code finds what it imports.
  work = mkdtempSync(join(tools, 'work-'));
  const document = await fetch(`${server.url}/openapi.json`);
  await writeFile(join(work, 'openapi.json'), await document.text());
  for (const file of ['generate-clients.js', 'programs/make-pictures.ts', 'programs/tsconfig.json'])
    cpSync(join(generators, file), join(work, file.replace('programs/', '')));
});
after(async () => {
  if (work) rmSync(work, { recursive: true, force: true });
  await server?.stop();
});

/** The folder that has what package-lock.json names. */
async function installTools(): Promise<string> {
  const lock = readFileSync(join(generators, 'package-lock.json'));
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `generators-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'part-'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(generators, file), join(part, file));
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', words, { cwd: part, shell: process.platform === 'win32' });
  // Another process may have been faster.
  if (existsSync(folder)) rmSync(part, { recursive: true });
  else renameSync(part, folder);
  return folder;
}

test('Redocly finds neither an error nor a warning in the OpenAPI document', async () => {
  const cli = join(tools, 'node_modules/@redocly/cli/bin/cli.js');
  const config = ['--config', join(generators, 'redocly.yaml')];
  const words = [cli, 'lint', join(work, 'openapi.json'), ...config, '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await run(process.execPath, words, { cwd: work, env, maxBuffer: 2 ** 26 });
  const { totals, problems } = JSON.parse(stdout);
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], JSON.stringify(problems, null, 1));
});

test('clients of openapi-fetch, hey-api and orval compile under strict TypeScript and make a picture', async () => {
  await run(process.execPath, [join(work, 'generate-clients.js')], { cwd: work });
  const tsc = join(root, 'node_modules/typescript/lib/tsc.js');
  await run(process.execPath, [tsc, '-p', work], { cwd: work }).catch(({ stdout }) => assert.fail(stdout));
  const { api_key } = await server.account();
  const words = [join(work, 'make-pictures.mjs'), server.url, api_key, photo];
  const { stdout } = await run(process.execPath, words, { cwd: work });
  const made = ['IN_QUEUE', 'COMPLETED', tinyPng.toString('base64'), 'FILTER_NOT_FOUND'];
  assert.deepEqual(JSON.parse(stdout), {
    'openapi-fetch': made,
    '@hey-api/openapi-ts': made,
    orval: made,
  });
});
