import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { cannotMake } from '../../../src/engines/engine.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import { readMultipart } from '../../support/multipart.ts';
import { door, tinyPng } from '../../support/test-engine.ts';

// A photo in, a picture out, by curl and as booth software sends it.

let server: TestServer;
let account: TestAccount;
let folder: string;
before(async () => {
  server = await startTestServer();
  account = await server.account();
  folder = mkdtempSync(join(tmpdir(), 'guise-photo-'));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
beforeEach(async () => {
  server.engine.before = async () => {};
  server.engine.result = null;
  writeFileSync(join(folder, 'guest.jpg'), await newPhoto());
});

type Body = NonNullable<RequestInit['body']>;

let photos = 0;
/** Another one each time: the same photo would get the same picture. */
const newPhoto = () =>
  sharp({ create: { width: 48, height: 64, channels: 3, background: { r: ++photos, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer();

async function post(path: string, body: Body, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-api-key': account.api_key, ...headers },
    body,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** As Breeze sends it: the photo, and beside it what the booth knows of the session. */
function breezeForm(bytes: Uint8Array): FormData {
  const form = new FormData();
  form.append('eventkitesessionid', 'S-17');
  form.append('name', 'Booth 1');
  form.append('model', 'Canon');
  form.append('survey1_text_1', 'someone@example.com');
  form.append(
    'fileToUpload',
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }),
    'IMG_0001.jpg',
  );
  return form;
}
const errorOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).error_code as string;

test('the printed call of curl saves the picture', async () => {
  const page = readFileSync(new URL('../../../../../docs/photo-in-picture-out.md', import.meta.url), 'utf8');
  const [, call] = /```sh\n(curl [^`]*)```/.exec(page)!;
  const env = { ...process.env, GUISE_URL: server.url, GUISE_API_KEY: account.api_key };
  const credits = await account.credits();
  await promisify(execFile)('sh', ['-c', call!], { cwd: folder, env });
  assert.deepEqual(readFileSync(join(folder, 'out.png')), tinyPng);
  assert.equal(server.engine.requests.at(-1)?.filterRef, '25');
  assert.equal(await account.credits(), credits - 3);
});

test('the photo comes under any field name, or is the body, with the key as a password too', async () => {
  const breeze = await post('/v1/photo/12?ratio=landscape&gender=1', breezeForm(await newPhoto()));
  assert.deepEqual([breeze.status, breeze.headers.get('content-type')], [200, 'image/png']);
  assert.deepEqual(breeze.body, tinyPng);
  const { family, params } = server.engine.requests.at(-1)!;
  assert.deepEqual(
    [family, { ...params, seed: 0 }],
    ['face_swap_v1', { seed: 0, filter_id: 12, gender: 1, ratio: 'landscape' }],
  );

  const authorization = `Basic ${Buffer.from(`booth:${account.api_key}`).toString('base64')}`;
  for (const type of ['image/jpeg', 'application/octet-stream', 'application/x-www-form-urlencoded'])
    assert.equal(
      (
        await post('/v1/photo/Knight%20of%20the%20great%20hall', (await newPhoto()) as Body, {
          'content-type': type,
          authorization,
          'x-api-key': '',
        })
      ).status,
      200,
      type,
    );
  const prompt = await post('/v1/photo/prompt?prompt=on%20a%20boat', breezeForm(await newPhoto()));
  assert.equal(prompt.status, 200);
  assert.equal(server.engine.requests.at(-1)?.family, 'self_prompt_v2');
});

test('Accept or the URL says what comes back: PNG, JPEG, JSON, or both in a form', async () => {
  server.engine.result = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#468' } })
    .png()
    .toBuffer();
  const bytes = await newPhoto();
  const ask = (query: string, accept: string) => post(`/v1/photo/12${query}`, breezeForm(bytes), { accept });
  for (const [query, accept, format] of [
    ['', '*/*', 'png'],
    ['', 'image/jpeg, */*;q=0.5', 'jpeg'],
    ['?format=jpeg', 'application/json', 'jpeg'],
    ['', 'image/webp', 'webp'],
  ] as const) {
    const { body, headers } = await ask(query, accept);
    assert.equal(headers.get('content-type'), `image/${format}`);
    assert.equal((await sharp(body).metadata()).format, format);
  }
  const json = JSON.parse((await ask('', 'application/json, text/plain, */*')).body.toString());
  assert.equal(json.output.images[0], server.engine.result.toString('base64'));
  assert.deepEqual([json.status, json.applied, json.ignored], ['COMPLETED', ['a thing'], ['another']]);
  assert.deepEqual(Buffer.from(await (await fetch(json.url)).arrayBuffer()), server.engine.result);
  const both = await ask('?answer=multipart&format=jpeg', '*/*');
  const parts = readMultipart(both.body, both.headers.get('content-type')!);
  assert.equal(JSON.parse(parts.get('json')!.bytes.toString()).id, both.headers.get('x-guise-job'));
  assert.equal((await sharp(parts.get('image')!.bytes).metadata()).format, 'jpeg');
});

test('the same photo joins its job while it runs and after it, and pays once; new=true makes another', async () => {
  const credits = await account.credits();
  const bytes = await newPhoto();
  const gate = door();
  server.engine.before = gate.work;
  const send = (path = '/v1/photo/12') => post(path, breezeForm(bytes));
  const [first, second] = [send(), send()];
  await gate.reached;
  const hasted = await send('/v1/photo/12?wait=1');
  assert.deepEqual([hasted.status, errorOf(hasted)], [503, 'JOB_NOT_ENDED']);
  gate.open();
  const jobs = [await first, await second, await send()].map(({ headers }) => headers.get('x-guise-job'));
  assert.equal(new Set(jobs).size, 1);
  assert.equal(await account.credits(), credits - 1);
  for (const path of ['/v1/photo/12?new=true', '/v1/photo/13', '/v1/photo/12?ratio=square'])
    assert.ok(!jobs.includes((await send(path)).headers.get('x-guise-job')), path);
  assert.equal(await account.credits(), credits - 4);
});

test('a photo that failed is tried anew when it comes again', async () => {
  const credits = await account.credits();
  const bytes = await newPhoto();
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  const failed = await post('/v1/photo/12', breezeForm(bytes));
  assert.deepEqual([failed.status, errorOf(failed)], [422, 'JOB_FAILED']);
  assert.equal(await account.credits(), credits);
  server.engine.before = async () => {};
  assert.equal((await post('/v1/photo/12', breezeForm(bytes))).status, 200);
  assert.equal(await account.credits(), credits - 1);
});

test('errors are those of every endpoint, and cost nothing', async () => {
  const credits = await account.credits();
  const noFile = new FormData();
  noFile.append('photo', 'text');
  const jpeg = await newPhoto();
  const stranger = await server.account();
  const filter = { name: 'theirs', filter_type: 'face_swap', definition: { kind: 'prompt', prompt: 'x' } };
  const theirs = (await stranger.call('POST', '/v1/users/me/my-custom-filters', filter)).body.id;
  const keyWith = async (fields: object) => ({
    'x-api-key': (await account.call('POST', '/v1/keys', { name: 'booth', ...fields })).body.secret,
  });
  const [reader, spent] = [await keyWith({ scopes: ['read'] }), await keyWith({ budget: 1 })];
  for (const [path, body, headers, status, code] of [
    ['/v1/photo/12', breezeForm(jpeg), { 'x-api-key': 'wrong' }, 401, 'UNAUTHORIZED'],
    ['/v1/photo/12', breezeForm(jpeg), reader, 403, 'SCOPE_MISSING'],
    ['/v1/photo/harbour', breezeForm(jpeg), spent, 402, 'INSUFFICIENT_CREDITS'],
    ['/v1/photo/nothing', breezeForm(jpeg), {}, 422, 'FILTER_NOT_FOUND'],
    [`/v1/photo/${theirs}`, breezeForm(jpeg), {}, 422, 'WORKFLOW_FETCH_FAILED'],
    ['/v1/photo/prompt', breezeForm(jpeg), {}, 422, 'VALIDATION_ERROR'],
    ['/v1/photo/12', noFile, {}, 422, 'VALIDATION_ERROR'],
    ['/v1/photo/12', breezeForm(Buffer.from('no image')), {}, 400, 'INVALID_IMAGE'],
    ['/v1/photo/12', breezeForm(Buffer.alloc(0)), {}, 400, 'INVALID_IMAGE'],
    ['/v1/photo/12', 'no image', {}, 400, 'INVALID_IMAGE'],
    ['/v1/photo/12', '', {}, 422, 'VALIDATION_ERROR'],
    [
      '/v1/photo/12',
      '--b\r\n',
      { 'content-type': 'multipart/form-data; boundary=b' },
      422,
      'VALIDATION_ERROR',
    ],
    ['/v1/photo/12?format=gif', breezeForm(jpeg), {}, 422, 'VALIDATION_ERROR'],
  ] as const) {
    const answer = await post(path, body as Body, headers as Record<string, string>);
    assert.deepEqual([answer.status, errorOf(answer)], [status, code], path);
  }
  assert.equal(await account.credits(), credits);
  await until(async () => (await server.blobKeys()).every((key) => !key.startsWith('inputs/')));
});

test('a large photo goes over the disk and arrives as it was sent', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 2200, height: 2200, channels: 3, background: '#000', noise } as const;
  const large = await sharp({ create }).jpeg({ quality: 95 }).toBuffer();
  assert.ok(large.length > 3_000_000);
  let received: Buffer | undefined;
  server.engine.before = async ({ images }) => {
    received = readFileSync(images[0]!);
  };
  assert.equal((await post('/v1/photo/12', breezeForm(large))).status, 200);
  assert.ok(received?.equals(large));
});
