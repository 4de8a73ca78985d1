import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { families } from '@guise/contract/families/families.ts';
import { isPhotoList } from '@guise/contract/families/run-fields.ts';
import sharp from 'sharp';
import { familyCases } from '../support/contract-cases.ts';
import {
  type Answer,
  filesBelow,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
/** The hashes of the photos that jobs were given, in order, by job. */
const given = new Map<string, string[]>();
before(async () => {
  server = await startTestServer({ allowPrivateUrls: true });
  server.engine.before = async ({ jobId, images }) => {
    given.set(
      jobId,
      images.map((path) => sha256(readFileSync(path))),
    );
  };
  account = await server.account(100_000);
});
after(() => server.stop());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A photo with bytes behind it that no other has. */
async function photoOf(bytes: number): Promise<Buffer> {
  const create = { width: 48, height: 64, channels: 3 as const, background: '#c08060' };
  const jpeg = await sharp({ create }).jpeg().toBuffer();
  return Buffer.concat([jpeg, Buffer.alloc(4, 0xaa), randomBytes(Math.max(0, bytes - jpeg.length - 4))]);
}

/** In memory, on the disk, and at the limit of 20 MB. */
const small = await photoOf(60_000);
const large = await photoOf(2_500_000);
const largest = await photoOf(20 * 1024 * 1024);

async function photosOfJob(answer: Answer): Promise<string[]> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return until(async () => given.get(answer.body.id));
}

const selfPrompt = '/v2/run/self-prompt';
const run = (body: unknown, headers?: Record<string, string>) =>
  account.call('POST', selfPrompt, body, headers);

/** Sends a body in chunks of these sizes, over and over. */
async function sendChunked(path: string, body: Buffer, sizes: number[]): Promise<Answer> {
  const sent = httpRequest(server.url + path, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': account.api_key },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const end = at + sizes[turn % sizes.length]!;
    if (!sent.write(body.subarray(at, end))) await once(sent, 'drain');
    at = end;
  }
  sent.end();
  const [response] = await answered;
  const status = response.statusCode!;
  return { status, headers: new Headers(), body: JSON.parse(await text(response)) };
}

test('photos of every size arrive as they were sent, with a length and in chunks', async () => {
  for (const bytes of [small, large, largest]) {
    const body = Buffer.from(JSON.stringify({ prompt: 'a lake', image: bytes.toString('base64') }));
    assert.deepEqual(await photosOfJob(await run(body)), [sha256(bytes)]);
    assert.deepEqual(await photosOfJob(await sendChunked(selfPrompt, body, [70_001])), [sha256(bytes)]);
  }
  const body = Buffer.from(JSON.stringify({ prompt: 'a lake', image: small.toString('base64') }));
  assert.deepEqual(await photosOfJob(await sendChunked(selfPrompt, body, [1, 7, 64, 1000])), [sha256(small)]);
});

test('a photo may be spelt in every way that JSON and base64 have', async () => {
  for (const bytes of [small, large]) {
    const base64 = bytes.toString('base64');
    const spellings = [
      base64.replaceAll('/', '\\/'),
      base64.replaceAll('+', '\\u002b').replaceAll('/', '\\u002F'),
      base64.replaceAll(/.{76}/g, '$&\\r\\n'),
      base64.replaceAll(/.{64}/g, '$&\\n'),
      bytes.toString('base64url'),
      ` \\n${base64}\\n`,
      `data:image/jpeg;base64,${base64}`,
      `\\u0064ata:image/jpeg;base64,${base64.replaceAll('/', '\\/')}`,
      `data:image/jpeg;base64,${encodeURIComponent(base64)}%0A`,
    ];
    for (const spelt of spellings) {
      const answer = await run(`{"prompt":"a lake","image":"${spelt}"}`);
      assert.deepEqual(await photosOfJob(answer), [sha256(bytes)], spelt.slice(0, 60));
    }
  }
});

test('a photo is found in every field of every family, whatever the order of the fields', async () => {
  for (const { family, run: path, body } of familyCases) {
    const { images, takesVideo } = families.find(({ name }) => name === family)!;
    for (const fields of images) {
      for (const field of fields) {
        const isList = isPhotoList(field);
        const others = Object.entries(body).filter(([name]) => !(fields as readonly string[]).includes(name));
        const image = small.toString('base64');
        // The photos of a burst have one shape.
        const list = [image, takesVideo ? image : photo];
        const given = [...others, [field, isList ? list : image]];
        for (const entries of [given, given.toReversed()]) {
          const answer = await account.call('POST', path, Object.fromEntries(entries));
          assert.ok((await photosOfJob(answer)).includes(sha256(small)), `${path} ${field}`);
        }
      }
    }
  }
});

test('the last of two photos under one key counts, and so does a URL or nothing after a photo', async () => {
  const [first, second] = [small, large].map((bytes) => bytes.toString('base64'));
  const body = `{"prompt":"a lake","image":"${first}","image":"${second}"}`;
  assert.deepEqual(await photosOfJob(await run(body)), [sha256(large)]);
  const url = await run(`{"prompt":"a lake","image":"${second}","image":"ftp://photos.test/a"}`);
  assert.equal(url.body.error_code, 'URL_NOT_ALLOWED');
  const other = await run(`{"prompt":"a lake","image":"${second}","image":7}`);
  assert.equal(other.body.error_code, 'VALIDATION_ERROR');
});

test('names of uploads cannot be given by callers', async () => {
  const image = 'upload:00000000-0000-4000-8000-000000000000';
  assert.equal((await run({ prompt: 'a lake', image })).body.error_code, 'URL_NOT_ALLOWED');
});

test('fields that nobody asks for are ignored whatever they hold', async () => {
  const image = small.toString('base64');
  const ignored = [
    ['x', 'y'.repeat(9_000_000)],
    ['x', { image, images: [image, { image }] }],
    ['input_image', image],
    ['y'.repeat(100_000), [1, 2, 3]],
    ['x', 'ü\n"'.repeat(100_000)],
    ['x', Array(5000).fill(0)],
  ];
  for (const [name, value] of ignored) {
    const answer = await run({ [name as string]: value, prompt: 'a lake', image });
    assert.deepEqual(await photosOfJob(answer), [sha256(small)]);
  }
});

test('errors come in the order of the interface when the photo is large', async () => {
  const garbage = `${large.toString('base64')}!`;
  const path = '/v6/run/face_swap';
  const fine = { base64: large.toString('base64'), gender: 0, filter_id: 1 };
  const code = async (body: unknown) => (await account.call('POST', path, body)).body.error_code;
  const valid = JSON.stringify({ ...fine, base64: garbage });
  assert.equal(await code(`${valid.slice(0, -1)},}`), 'INVALID_JSON');
  // A line break that is not escaped is no JSON, wherever it stands.
  for (const place of [12, 100_000, garbage.length + 8])
    assert.equal(await code(`${valid.slice(0, place)}\n${valid.slice(place)}`), 'INVALID_JSON');
  assert.equal(await code(valid.replace('!', '\\x')), 'INVALID_JSON');
  assert.equal(await code(valid.replace('!', '\\u12g4')), 'INVALID_JSON');
  assert.equal(await code({ ...fine, base64: garbage, gender: 'x' }), 'VALIDATION_ERROR');
  assert.equal(await code({ ...fine, base64: [garbage] }), 'VALIDATION_ERROR');
  assert.equal(await code({ ...fine, base64: garbage, quality_mode: 'x' }), 'INVALID_QUALITY_MODE');
  assert.equal(await code({ ...fine, base64: garbage, filter_id: 9999 }), 'FILTER_NOT_FOUND');
  assert.equal(await code({ ...fine, base64: garbage }), 'INVALID_IMAGE');
  const poor = await server.account(0);
  assert.equal(
    (await poor.call('POST', path, { ...fine, base64: garbage })).body.error_code,
    'INVALID_IMAGE',
  );
  assert.equal((await poor.call('POST', path, fine)).body.error_code, 'INSUFFICIENT_CREDITS');
});

test('texts that are too long for their field are told so, however long they are', async () => {
  for (const length of [2001, 20_000, 3_000_000]) {
    const { status, body } = await run({ prompt: 'é'.repeat(length) });
    assert.equal(status, 422);
    assert.deepEqual(body.fields, [{ path: 'prompt', message: 'must have at most 2,000 characters' }]);
  }
  const many = await account.call('POST', '/v5/run/multi_swap_self_prompt', {
    prompt: 'x',
    input_images: Array(300).fill(small.toString('base64')),
  });
  assert.equal(many.status, 422);
  assert.match(many.body.error, /input_images: must hold 1 to 5 images/);
});

test('photos of more than 20 MB are refused as such', async () => {
  const tooLarge = (await photoOf(20 * 1024 * 1024 + 1)).toString('base64');
  const { status, body } = await run({ prompt: 'a lake', image: tooLarge });
  assert.equal(status, 400);
  assert.equal(body.error, 'The image is larger than 20 MB.');
});

test('the same Idempotency-Key with the same large body gives the same job, with another one 409', async () => {
  const headers = { 'idempotency-key': 'large' };
  const body = { prompt: 'a lake', image: large.toString('base64') };
  const first = await run(body, headers);
  assert.equal(first.status, 200);
  assert.deepEqual((await run(body, headers)).body, first.body);
  const bytes = Buffer.from(JSON.stringify(body));
  bytes[bytes.length - 3] = bytes[bytes.length - 3] === 0x41 ? 0x42 : 0x41;
  const other = await run(bytes, headers);
  assert.equal(other.body.error_code, 'IDEMPOTENCY_CONFLICT');
});

test('templates of custom filters are uploads too, and long texts of workflows are kept or refused', async () => {
  const path = '/v1/users/me/my-custom-filters';
  const template = (image: string) => ({
    name: 'mine',
    filter_type: 'face_swap',
    definition: { kind: 'template', image },
  });
  for (const bytes of [small, large]) {
    const made = await account.call('POST', path, template(bytes.toString('base64')));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const key = (await server.blobKeys()).find((name) => name.startsWith(`templates/${made.body.id}`))!;
    assert.equal(sha256(readFileSync(join(server.config.dataDir, 'blobs', key))), sha256(bytes));
    const changed = await account.call('PATCH', `${path}/${made.body.id}`, {
      definition: { kind: 'template', image: `data:image/jpeg;base64,${large.toString('base64')}` },
    });
    assert.equal(changed.status, 200);
  }
  const empty = await account.call('POST', path, template(''));
  assert.equal(empty.body.error_code, 'VALIDATION_ERROR');
  const prompt = { kind: 'prompt', prompt: 'x'.repeat(500_000) };
  const long = await account.call('POST', path, {
    name: 'mine',
    filter_type: 'face_swap',
    definition: prompt,
  });
  assert.equal(long.body.error_code, 'VALIDATION_ERROR');
  prompt.prompt = 'x'.repeat(2_000_000);
  const longer = await account.call('POST', path, {
    name: 'mine',
    filter_type: 'face_swap',
    definition: prompt,
  });
  assert.equal(longer.body.error_code, 'PAYLOAD_TOO_LARGE');
});

/** Files of uploads that this process has open; they have no name any more. */
function openUploads(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes('/upload-') ? [path] : [];
    } catch {
      return [];
    }
  });
}

const scratchFiles = () =>
  filesBelow(join(server.config.dataDir, 'scratch')).filter((file) => file.includes('upload-'));

/** Sends the head of a request and a part of its body. */
async function sendPart(headers: Record<string, string>, part: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const lines = Object.entries({ host: 'test', 'content-length': '28000000', ...headers });
  socket.write(
    `POST ${selfPrompt} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${part}`,
  );
  return socket;
}

const begun = `{"prompt":"a lake","image":"${large.toString('base64')}`;

test('a client that hangs up within its photo leaves nothing on the disk', {
  skip: process.platform !== 'linux' && 'looks into /proc',
}, async () => {
  for (const hangUp of ['destroy', 'resetAndDestroy'] as const) {
    const socket = await sendPart({ 'x-api-key': account.api_key }, begun);
    // The file loses its name before the first byte is written.
    await until(async () => openUploads().length > 0 && scratchFiles().length === 0);
    socket[hangUp]();
    await until(async () => openUploads().length === 0);
  }
});

test('nothing of a body without credentials is stored', {
  skip: process.platform !== 'linux' && 'looks into /proc',
}, async () => {
  const socket = await sendPart({}, begun);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1.1 401 /);
  assert.deepEqual([...openUploads(), ...scratchFiles()], []);
  socket.destroy();
});

test('every refusal frees the photo', {
  skip: process.platform !== 'linux' && 'looks into /proc',
}, async () => {
  const image = large.toString('base64');
  const bodies = [
    JSON.stringify({ image }),
    JSON.stringify({ prompt: 'x', image: `${image}!` }),
    `${JSON.stringify({ prompt: 'x', image })},`,
    `{"image":"${image}","x":[${'{},'.repeat(60_000)}{}]}`,
  ];
  const answers = await Promise.all(bodies.map((body) => run(body)));
  assert.deepEqual(
    answers.map(({ body }) => body.error_code),
    ['VALIDATION_ERROR', 'INVALID_IMAGE', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE'],
  );
  await until(async () => openUploads().length === 0 && scratchFiles().length === 0);
});

test('a body that is no JSON leaves its connection open for the next request', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = (method: string, length: number, more = '') =>
    `${method} HTTP/1.1\r\nhost: test\r\nx-api-key: ${account.api_key}\r\ncontent-length: ${length}\r\n${more}\r\n`;
  const body = `{"image":"${large.toString('base64')}\n`;
  socket.write(head(`POST ${selfPrompt}`, body.length) + body);
  socket.write(head('GET /health', 0, 'connection: close\r\n'));
  const answers = await text(socket);
  assert.match(answers, /^HTTP\/1.1 400 .*INVALID_JSON.*HTTP\/1.1 200 /s);
});

test('other endpoints take small bodies only, with a length and in chunks', async () => {
  const body = Buffer.from(JSON.stringify({ project: 'x'.repeat(70_000) }));
  const plain = await request(server.url, 'POST', '/api/alias/', body, { 'x-api-key': account.api_key });
  assert.equal(plain.body.error_code, 'PAYLOAD_TOO_LARGE');
  const chunked = await sendChunked('/api/alias/', body, [10_000]);
  assert.equal(chunked.body.error_code, 'PAYLOAD_TOO_LARGE');
});
