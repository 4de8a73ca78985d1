import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { downloadFile, sha256Of } from '../../../src/engines/comfyui/setup/download-file.ts';
import { downloadScript } from '../../../src/engines/comfyui/setup/download-script.ts';

const content = randomBytes(300_000);
const sha256 = createHash('sha256').update(content).digest('hex');

/** A file server that can be told to misbehave. */
let server: Server;
let origin: string;
let folder: string;
const ranges: (string | undefined)[] = [];
const faults = { cutAfter: Infinity, cuts: 0, noRanges: false, lies: false, status: 0, etag: '' };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-downloads-'));
  server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  ranges.length = 0;
  Object.assign(faults, {
    cutAfter: Infinity,
    cuts: 0,
    noRanges: false,
    lies: false,
    status: 0,
    etag: '',
  });
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url?.startsWith('/moved')) {
    // As Hugging Face does: the hash in the first answer, the file elsewhere.
    response.writeHead(302, { location: '/file.bin', 'x-linked-etag': `"${faults.etag}"` }).end();
    return;
  }
  if (faults.status > 0) return void response.writeHead(faults.status).end();
  const { range } = request.headers;
  ranges.push(range);
  const bytes = faults.lies ? Buffer.alloc(content.length, 7) : content;
  const start = faults.noRanges ? 0 : Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  if (start >= bytes.length)
    return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  const body = bytes.subarray(start);
  const head = { 'content-length': String(body.length) };
  response.writeHead(
    start > 0 ? 206 : 200,
    start > 0 ? { ...head, 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : head,
  );
  if (faults.cuts > 0) {
    faults.cuts--;
    response.write(body.subarray(0, faults.cutAfter), () => response.destroy());
    return;
  }
  response.end(body);
}

const options = { signal: new AbortController().signal, progress: () => {}, pauseMs: 1 };
const wanted = (more: object = {}) => ({ file: 'file.bin', from: `${origin}/file.bin`, ...more });

test('a download that is cut off goes on where it was, and the file gets its name when it is whole', async () => {
  Object.assign(faults, { cuts: 2, cutAfter: 100_000 });
  const target = join(folder, 'cut', 'file.bin');
  const seen: number[] = [];
  const progress = (done: number, total: number) => {
    seen.push(done);
    assert.equal(total, content.length);
    assert.ok(!existsSync(target));
  };
  assert.equal(await downloadFile(wanted({ sha256 }), target, { ...options, progress }), sha256);
  assert.deepEqual(await readFile(target), content);
  assert.equal(ranges.length, 3);
  assert.equal(ranges[0], undefined);
  assert.match(String(ranges[2]), /^bytes=[1-9]\d*-$/);
  assert.equal(seen.at(-1), content.length);
});

test('what an earlier process left is used', async () => {
  const target = join(folder, 'earlier.bin');
  await writeFile(`${target}.part`, content.subarray(0, 250_000));
  await downloadFile(wanted({ sha256 }), target, options);
  assert.deepEqual(ranges, ['bytes=250000-']);
  assert.deepEqual(await readFile(target), content);
  // All of it was there, only its name was not.
  await writeFile(`${target}.part`, content);
  await downloadFile(wanted({ sha256 }), target, options);
  assert.deepEqual(await readFile(target), content);
});

test('a server without ranges sends it from the beginning', async () => {
  faults.noRanges = true;
  const target = join(folder, 'no-ranges.bin');
  await writeFile(`${target}.part`, content.subarray(0, 1000));
  await downloadFile(wanted({ sha256 }), target, options);
  assert.deepEqual(await readFile(target), content);
});

test('a file of another hash or size is deleted, and said', async () => {
  faults.lies = true;
  const target = join(folder, 'lies.bin');
  await assert.rejects(
    downloadFile(wanted({ sha256 }), target, options),
    /SHA-256 is [0-9a-f]{64}, and should be/,
  );
  await assert.rejects(
    downloadFile(wanted({ bytes: 7 }), target, options),
    /has 300000 bytes, and should have 7/,
  );
  assert.ok(!existsSync(target) && !existsSync(`${target}.part`));
});

test('a large file is not read to its end when the download is stopped', async () => {
  const large = join(folder, 'large.bin');
  await writeFile(large, content);
  assert.equal(await sha256Of(large, options.signal), sha256);
  await assert.rejects(sha256Of(large, AbortSignal.abort()), { name: 'AbortError' });
});

test('the hash that Hugging Face names is held to where no other is known', async () => {
  const from = `${origin}/moved`;
  faults.etag = sha256;
  assert.equal(await downloadFile(wanted({ from }), join(folder, 'named.bin'), options), sha256);
  faults.etag = sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await assert.rejects(downloadFile(wanted({ from }), join(folder, 'named-2.bin'), options), /SHA-256/);
});

test('a file that needs an account, or is gone, says so at once; one that never comes keeps what came', async () => {
  const target = join(folder, 'refused.bin');
  faults.status = 401;
  await assert.rejects(downloadFile(wanted(), target, options), /accept the licence.*HF_TOKEN/);
  faults.status = 404;
  await assert.rejects(downloadFile(wanted(), target, options), /no longer there/);
  Object.assign(faults, { status: 0, cuts: 1, cutAfter: 5000 });
  const stop = new AbortController();
  const progress = () => {
    faults.status = 503;
  };
  await assert.rejects(
    downloadFile(wanted(), target, { ...options, signal: stop.signal, progress }),
    /cut off again and again. What came so far is kept/,
  );
  assert.ok(existsSync(`${target}.part`));
});

test('the script for another machine downloads, goes on and checks as well', async () => {
  const entry = {
    ...wanted({ sha256 }),
    folder: 'vae',
    size: '0.3 MB',
    licence: 'MIT',
    commercial: 'yes' as const,
    gated: false,
    for: [],
  };
  const script = join(folder, 'get-models.sh');
  await writeFile(script, downloadScript([{ ...entry, file: "a 'b'.bin" }]));
  const models = await mkdtemp(join(folder, 'models-'));
  await promisify(execFile)('sh', [script, models]);
  assert.deepEqual(await readFile(join(models, 'vae', "a 'b'.bin")), content);
  const again = await promisify(execFile)('sh', [script, models]);
  assert.match(again.stdout, /is there/);
  faults.lies = true;
  await writeFile(script, downloadScript([{ ...entry, file: 'other.bin' }]));
  await assert.rejects(promisify(execFile)('sh', [script, models]), /what came is not the file/);
  assert.ok(!existsSync(join(models, 'vae', 'other.bin')));
});
