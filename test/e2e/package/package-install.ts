import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildPackage } from '../../../tools/package/build-package.ts';

/**
 * The package as others get it: packed, and installed into empty folders with the machine's own Node and npm, once from
 * the tarball and once by `npx guise` from a registry. Each then makes a picture. Needs the npm registry for the
 * dependencies that are not in the package, and some minutes.
 *
 *   npm run test:package
 */

const outside = mkdtempSync(join(tmpdir(), 'guise-install-'));
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
const env = { ...process.env, PATH: path, PORT: '0', GUISE_LOG_LEVEL: 'error' };
const children = new Set<ChildProcess>();

try {
  const built = await timed('built', () => buildPackage());
  const tarball = await timed('packed', async () => join(outside, npm(outside, ['pack', '--silent', built])));
  console.log(`${(statSync(tarball).size / 1e6).toFixed(0)} MB`);

  const folder = makeFolder('from-tarball');
  await timed('installed from the tarball', async () => npm(folder, ['install', '--silent', tarball]));
  const [version] = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).split('\n');
  await timed(`started by Node ${version}, first picture`, () => makePicture(folder, ['guise', 'start']));
  const words = ['guise', 'provenance', 'verify', 'picture.png'];
  console.log(execFileSync('npx', words, { cwd: folder, env, encoding: 'utf8' }).split('\n')[0]);

  const registry = await serveRegistry(built, tarball);
  const empty = makeFolder('by-npx');
  const npx = ['--yes', `--registry=${registry.url}`, `--cache=${join(outside, 'cache')}`, 'guise', 'start'];
  await timed('npx guise start: installed, started, first picture', () => makePicture(empty, npx));
  registry.close();
} finally {
  await Promise.all([...children].map(stop));
  rmSync(outside, { recursive: true, force: true });
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

function makeFolder(name: string): string {
  const folder = join(outside, name);
  mkdirSync(folder);
  return folder;
}

function npm(cwd: string, words: string[]): string {
  return execFileSync('npm', ['--no-audit', '--no-fund', ...words], { cwd, env, encoding: 'utf8' }).trim();
}

/** Starts a server with npx, and has it make a picture of a sample photo with the first filter. */
async function makePicture(cwd: string, words: string[]): Promise<void> {
  const child = spawn('npx', words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  children.add(child);
  const { url, key } = await readWelcome(child);
  const photo = readFileSync(new URL('../../../catalog/samples/astronaut.jpg', import.meta.url));
  const call = async (target: string, body: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=30' };
    const answer = await fetch(url + target, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: string; status: string; output: { images?: string[] } };
  };
  let job = await call('/v6/run/face_swap', { filter_id: 1, gender: 4, base64: photo.toString('base64') });
  for (const { id } = job; job.status !== 'COMPLETED'; job = await call(`/v6/status/${id}`, {}))
    if (job.status === 'FAILED') throw new Error(JSON.stringify(job));
  writeFileSync(join(cwd, 'picture.png'), Buffer.from(job.output.images![0]!, 'base64'));
  await stop(child);
}

/** npx passes no signal on, so the signal goes to its whole group; its output is closed when the last process has ended. */
async function stop(child: ChildProcess): Promise<void> {
  children.delete(child);
  const closed = child.stdout!.closed ? undefined : once(child.stdout!, 'close');
  process.kill(-child.pid!, 'SIGTERM');
  child.stdout!.resume();
  await closed;
}

async function readWelcome(child: ChildProcess): Promise<{ url: string; key: string }> {
  const found = { url: '', key: '' };
  for await (const line of createInterface(child.stdout!)) {
    found.url ||= /listening on (\S+)/.exec(line)?.[1] ?? '';
    found.key ||= /^ {2}(gk_\w+)$/.exec(line)?.[1] ?? '';
    if (found.url && found.key) return found;
  }
  throw new Error('the server ended before it listened');
}

/** A registry that has this one package, and sends whoever asks for another one to the registry of the machine. */
async function serveRegistry(built: string, tarball: string): Promise<{ url: string; close(): void }> {
  const upstream = npm(outside, ['config', 'get', 'registry']).replace(/\/$/, '');
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const server = createServer((request, response) => {
    if (request.url === '/guise.tgz') return void createReadStream(tarball).pipe(response);
    if (request.url !== '/guise')
      return void response.writeHead(302, { location: upstream + request.url }).end();
    const dist = { tarball: `${url}/guise.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'guise', 'dist-tags': { latest: manifest.version }, versions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close().closeAllConnections() };
}
