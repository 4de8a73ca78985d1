import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import sharp from 'sharp';
import { cannotMake } from '../../src/engines/engine.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';
import { door, untilAborted } from '../support/test-engine.ts';

const run = '/v1/run/living_portrait';
const status = '/v1/status/living_portrait/';
const wait = { prefer: 'wait=20' };
const burst = { images: [photo, photo, photo], filter_id: 1 };

let server: TestServer;
let account: TestAccount;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-burst-'));
  server = await startTestServer({ runsPerMinute: 0, allowPrivateUrls: true });
  account = await server.account(100_000);
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.engine.before = async () => {};
  server.engine.result = null;
});

/** A film of a moving pattern, as ffmpeg writes it for the name's ending. */
async function film(name: string, seconds: number, size = '160x120'): Promise<Buffer> {
  const file = join(folder, name);
  const { command } = await findFfmpeg();
  const source = ['-f', 'lavfi', '-i', `testsrc=duration=${seconds}:size=${size}:rate=25`];
  await promisify(execFile)(command, ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', file]);
  return readFile(file);
}

async function finished(body: object): Promise<Answer & { id: string }> {
  const submitted = await account.call('POST', run, body);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const { id } = submitted.body;
  return { id, ...(await account.call('POST', status + id, undefined, wait)) };
}

/** What is kept of photos and results. */
const keysOf = async (id: string) => (await server.blobKeys()).filter((key) => key.includes(id)).sort();

test('a burst goes to the engine in order, with seconds, loop and format', async () => {
  const shots = await Promise.all(
    ['#a00', '#0a0', '#00a'].map((background) =>
      sharp({ create: { width: 40, height: 60, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    ),
  );
  const seen: Buffer[] = [];
  server.engine.before = async ({ images }) => {
    for (const image of images) seen.push(await readFile(image));
  };
  const images = shots.map((shot) => shot.toString('base64'));
  const { id, body } = await finished({ images, style_id: 2, seconds: '5', loop: 'forward', format: 'gif' });
  assert.equal(body.status, 'COMPLETED');
  assert.deepEqual(seen, shots);
  const asked = server.engine.requests.find(({ jobId }) => jobId === id)!;
  assert.deepEqual(asked.params, {
    style_id: 2,
    stylized: false,
    seconds: 5,
    loop: 'forward',
    format: 'gif',
  });
  assert.equal(asked.filterRef, '2');
});

test('a finished loop has links to itself, its still and other formats, and all go with the job', async () => {
  const mp4 = await film('loop.mp4', 1);
  server.engine.result = mp4;
  const { id, body } = await finished(burst);
  const { video_url, video_status, poster_url, gif_url, webp_url } = body.output;
  assert.equal(video_status, 'completed');
  for (const [url, type, signature] of [
    [video_url, 'video/mp4', 'ftyp'],
    [poster_url, 'image/png', 'PNG'],
    [gif_url, 'image/gif', 'GIF89a'],
    [webp_url, 'image/webp', 'WEBP'],
  ] as const) {
    const file = await fetch(url);
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, type]);
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.ok(bytes.subarray(0, 12).includes(signature), type);
    if (type === 'image/gif' || type === 'image/webp') {
      const { pages, loop } = await sharp(bytes, { animated: true }).metadata();
      assert.deepEqual([pages, loop], [16, 0], type);
    }
  }
  const { jobs } = (await account.call('GET', '/v1/jobs?limit=1')).body;
  assert.equal(jobs[0].media_type, 'video/mp4');
  assert.equal((await fetch(jobs[0].thumbnail_url)).status, 200);
  const kept = (await keysOf(id)).map((key) => `${key.split('/')[0]} ${key.slice(key.lastIndexOf('.'))}`);
  assert.deepEqual(kept, ['loops .gif', 'loops .webp', 'results .mp4', 'stills .png', 'thumbnails .webp']);
  assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
  assert.deepEqual(await keysOf(id), []);
  assert.equal((await fetch(poster_url)).status, 404);
  assert.equal((await fetch(gif_url)).status, 404);
});

test('a loop that was asked for as GIF or WebP is one, and has a still and no other formats', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const { body } = await finished({ ...burst, format });
    assert.deepEqual(Object.keys(body.output), ['video_url', 'video_status', 'poster_url']);
    assert.match(body.output.video_url, new RegExp(`\\.${format}\\?`));
    const file = await fetch(body.output.video_url);
    assert.equal(file.headers.get('content-type'), `image/${format}`);
  }
});

test('the shots of a video are its sharpest frames, in order', async () => {
  const seen: number[] = [];
  server.engine.before = async ({ images }) => {
    for (const image of images) {
      const { width, height, format } = await sharp(image).metadata();
      assert.deepEqual([width, height, format], [160, 120, 'jpeg']);
    }
    seen.push(images.length);
  };
  for (const [name, seconds] of [
    ['short.mp4', 1.2],
    ['longer.webm', 9],
    ['longest.mov', 10],
  ] as const) {
    const bytes = await film(name, seconds);
    const { body } = await finished({ filter_id: 1, video: bytes.toString('base64') });
    assert.equal(body.status, 'COMPLETED');
  }
  assert.deepEqual(seen, [4, 8, 8]);
});

test('a video comes from a URL, too', async () => {
  const bytes = await film('from-url.mp4', 1);
  const files = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
  await new Promise((resolve) => files.once('listening', resolve));
  const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/clip.mp4`;
  const { body } = await finished({ filter_id: 1, video: url });
  assert.equal(body.status, 'COMPLETED');
  files.close();
});

const wide = sharp({ create: { width: 90, height: 40, channels: 3, background: '#222' } })
  .jpeg()
  .toBuffer();

/** Bad requests, with what each is told. */
const refused: [name: string, body: () => Promise<object> | object, status: number, sentence: string][] = [
  [
    'one photo',
    () => ({ images: [photo] }),
    422,
    'images: needs at least 2 photos of a burst: one photo alone does not move.',
  ],
  ['nine photos', () => ({ images: Array(9).fill(photo) }), 422, 'images: must hold at most 8 photos.'],
  ['no list', () => ({ images: photo }), 422, 'images: must be a list of 2 to 8 photos.'],
  ['neither photos nor a video', () => ({}), 422, 'images: is required.'],
  [
    'photos and a video',
    () => ({ images: [photo, photo], video: 'AAAA' }),
    422,
    'video: must not come with images: send one of them.',
  ],
  [
    'photos of different shapes',
    async () => ({ images: [photo, (await wide).toString('base64')] }),
    400,
    'Photo 2 measures 90×40 and the first 48×64. The photos of a burst must have one size.',
  ],
  [
    'a photo that is none',
    () => ({ images: [photo, 'bm90'] }),
    400,
    'The image must be a PNG, JPEG or WebP file.',
  ],
  ['a video that is a photo', () => ({ video: photo }), 400, 'The video must be an MP4, MOV or WebM file.'],
  [
    'a video that only begins like one',
    () => ({ video: Buffer.from(`\0\0\0\x18ftypisom${'x'.repeat(40_000)}`, 'latin1').toString('base64') }),
    400,
    'The video is damaged and cannot be read.',
  ],
  [
    'a minute of video',
    async () => ({ video: (await film('minute.mp4', 60)).toString('base64') }),
    400,
    'The video is longer than 10 s.',
  ],
  [
    'a moment of video',
    async () => ({ video: (await film('moment.mp4', 0.2)).toString('base64') }),
    400,
    'The video is shorter than 0.5 s.',
  ],
  [
    // ffmpeg keeps 16 frames and more of what it decodes: 1.7 GB of 8,192×8,192 pixels, in a file of 200 KB.
    'a video with too many pixels',
    async () => ({ video: (await film('wide.mp4', 0.6, '4104x2400')).toString('base64') }),
    400,
    'The video has more than 9.5 megapixels.',
  ],
  [
    'a list of other files that is called a video',
    () => ({ video: Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n").toString('base64') }),
    400,
    'The video must be an MP4, MOV or WebM file.',
  ],
  [
    'a video that says it is an image',
    () => ({ video: `data:image/jpeg;base64,${photo}` }),
    400,
    'The data URI must contain a base64 video, such as "data:video/mp4;base64,…".',
  ],
  [
    'a video of more than 50 MB',
    () => ({ video: 'A'.repeat(70 * 1024 * 1024) }),
    400,
    'The video is larger than 50 MB.',
  ],
  ['seven seconds', () => ({ images: [photo, photo], seconds: 7 }), 422, 'seconds: must be 2 to 6.'],
];

for (const [name, body, code, sentence] of refused) {
  test(`${name} of a living portrait is refused with its sentence; nothing is charged or kept`, async () => {
    const [credits, kept] = [await account.credits(), (await server.blobKeys()).length];
    const answer = await account.call('POST', run, { filter_id: 1, ...(await body()) });
    assert.deepEqual([answer.status, answer.body.error], [code, sentence]);
    assert.deepEqual([await account.credits(), (await server.blobKeys()).length], [credits, kept]);
  });
}

for (const sentence of ['Shot 2: no face was found.', 'The shots show different people.']) {
  test(`a burst that the engine refuses ends FAILED: ${sentence}`, async () => {
    const credits = await account.credits();
    server.engine.before = async () => {
      throw cannotMake(sentence);
    };
    const { id, body } = await finished(burst);
    assert.deepEqual([body.status, body.output.video_error], ['FAILED', sentence]);
    assert.equal(await account.credits(), credits);
    assert.deepEqual(await keysOf(id), []);
  });
}

test('the same Idempotency-Key gives the same job; cancelling gives the credits back', async () => {
  const credits = await account.credits();
  server.engine.before = untilAborted;
  const headers = { 'idempotency-key': randomUUID() };
  const [first, again] = [
    await account.call('POST', run, burst, headers),
    await account.call('POST', run, burst, headers),
  ];
  assert.deepEqual(again.body, first.body);
  assert.equal(await account.credits(), credits - 6);
  assert.equal((await account.call('POST', `/v1/jobs/${first.body.id}/cancel`)).status, 200);
  const { body } = await account.call('POST', status + first.body.id, undefined, wait);
  assert.equal(body.status, 'FAILED');
  assert.equal(await account.credits(), credits);
});

test('the end of a living portrait is told by a webhook', async () => {
  const told = Promise.withResolvers<{ type: string; data: { id: string } }>();
  const listener = createServer(async (incoming, response) => {
    told.resolve(JSON.parse(Buffer.concat(await incoming.toArray()).toString()));
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const webhook_url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/done`;
  const { id } = await finished({ ...burst, webhook_url });
  const { type, data } = await told.promise;
  assert.deepEqual([type, data.id], ['job.completed', id]);
  listener.close();
});

test('an event offers living portraits, made of images, shown with a poster and printed as the still', async () => {
  const labels = { en: 'You, moving' };
  const hour = 3600_000;
  const made = await account.call('POST', '/v1/events', {
    name: 'Party',
    starts_at: new Date(Date.now() - hour).toISOString(),
    ends_at: new Date(Date.now() + hour).toISOString(),
    offers: [
      { id: 'alive', kind: 'living_portrait', filter_id: 1, labels },
      { id: 'alive-all', kind: 'living_portrait', catalog: 'realistic', filter_id: 2, seconds: 4, labels },
      { id: 'still', kind: 'single', filter_id: 1, labels },
    ],
    wall: 'all',
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(made.body.offers[1], {
    id: 'alive-all',
    kind: 'living_portrait',
    labels,
    filter_id: 2,
    catalog: 'realistic',
    seconds: 4,
    loop: 'ping_pong',
  });
  const key = await account.call('POST', `/v1/events/${made.body.id}/keys`, { name: 'tablet' });
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    request(server.url, method, path, body, { 'x-api-key': key.body.secret, ...headers });
  const booth = (await call('GET', '/v1/booth')).body;
  assert.deepEqual(
    booth.offers.map(({ kind }: { kind: string }) => kind),
    ['living_portrait', 'living_portrait', 'single'],
  );
  assert.match(booth.offers[1].preview_url, /\/previews\/realistic\/2\.webp$/);
  const submit = (fields: object) => call('POST', '/v1/booth/jobs', { guest: randomUUID(), ...fields });
  const alone = await submit({ offer_id: 'alive', image: photo });
  assert.deepEqual(
    [alone.status, alone.body.error],
    [422, 'images: is required: this offer is made of a burst of photos.'],
  );
  const gate = door();
  server.engine.before = gate.work;
  const started = await submit({ offer_id: 'alive-all', images: [photo, photo] });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  await gate.reached;
  const asked = server.engine.requests.find(({ jobId }) => jobId === started.body.id)!;
  assert.deepEqual([asked.family, asked.images.length], ['living_portrait', 2]);
  assert.deepEqual([asked.filterRef, 'seconds' in asked.params && asked.params.seconds], ['2', 4]);
  gate.open();
  const picture = (await call('GET', `/v1/booth/jobs/${started.body.id}`, undefined, wait)).body;
  assert.deepEqual([picture.status, picture.media_type], ['COMPLETED', 'video/mp4']);
  assert.equal((await fetch(picture.poster_url)).headers.get('content-type'), 'image/png');
  assert.match(picture.gif_url, /\.gif\?/);
  const print = await call('GET', `/v1/booth/jobs/${started.body.id}/print`);
  assert.equal(print.status, 200);
  // Other offers take the first shot of a burst: in safe mode a booth may still show a living portrait.
  const still = await submit({ offer_id: 'still', images: [photo, photo] });
  assert.equal(still.status, 201);
  await call('GET', `/v1/booth/jobs/${still.body.id}`, undefined, wait);
  assert.equal(server.engine.requests.find(({ jobId }) => jobId === still.body.id)!.images.length, 1);
  const safe = await account.call('PATCH', `/v1/events/${made.body.id}`, { safe_offer: 'alive' });
  assert.deepEqual(
    [safe.status, safe.body.error],
    [422, 'safe_offer: must be an offer of pictures or videos.'],
  );
});
