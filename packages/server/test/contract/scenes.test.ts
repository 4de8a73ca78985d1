import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import type { AnyParams } from '@guise/contract/families/families.ts';
import type { OwnScene } from '@guise/contract/scenes/own-scenes.ts';
import { unpackTar } from 'modern-tar/fs';
import sharp from 'sharp';
import { openStorage } from '../../src/app/storage.ts';
import { importPack } from '../../src/catalog/packs/import-pack.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
let backdrop: string;
let scene: OwnScene;
before(async () => {
  server = await startTestServer({ testsPerMinute: 0 });
  account = await server.account();
  backdrop = (await beach()).toString('base64');
  scene = await make();
});
after(() => server.stop());

const scenes = '/v1/scenes';
const filters = '/v1/users/me/my-custom-filters';

/** Sky over sand: a level horizon at 45 % of the height, brighter on the left. */
function beach(): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000"><defs><linearGradient id="s"><stop offset="0" stop-color="#ffe8c0"/><stop offset="1" stop-color="#5a7fb0"/></linearGradient></defs><rect width="1500" height="450" fill="url(#s)"/><rect y="450" width="1500" height="550" fill="#8a6a40"/></svg>`;
  return sharp(Buffer.from(drawing)).jpeg().toBuffer();
}

async function make(title = 'Our beach', owner = account): Promise<OwnScene> {
  const { status, body } = await owner.call('POST', scenes, { image: backdrop, title });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}
const sceneBlobs = async (id: string) =>
  (await server.blobKeys()).filter((key) => key.startsWith(`scenes/${id}`));
const makeFilter = async (name: string) => {
  const definition = { kind: 'scene', scene: name, light: 'dusk' };
  return account.call('POST', filters, { name: 'Beach', filter_type: 'face_swap', definition });
};
const run = (filter_id: string) =>
  account.call('POST', '/v6/run/face_swap', { base64: photo, gender: 1, filter_id });
const requestOf = (jobId: string) =>
  until(async () => server.engine.requests.find((request) => request.jobId === jobId));

test('a backdrop becomes a scene whose horizon, light and crops were found', async () => {
  const { settings, found } = scene;
  assert.ok(Math.abs(settings.horizon - 0.45) < 0.03, `${settings.horizon}`);
  assert.ok(settings.floor !== null && settings.floor > 0.6);
  assert.ok(settings.light.direction[0] < -0.1, 'the light comes from the left');
  assert.deepEqual(settings, { title: 'Our beach', place: '', ...found });
  assert.equal(scene.name, `own-${scene.id}`);
  assert.deepEqual(scene.warnings.length, 1, 'portrait pictures are enlarged');
  const file = await fetch(scene.backdrop_url);
  assert.equal(file.headers.get('content-type'), 'image/webp');
  const { width, height } = await sharp(await file.bytes()).metadata();
  assert.deepEqual([width, height], [scene.width, scene.height]);
  const list = await account.call('GET', scenes);
  assert.deepEqual(
    list.body.scenes.map(({ id, title }: { id: string; title: string }) => [id, title]),
    [[scene.id, 'Our beach']],
  );
  const options = await account.call('GET', '/v1/filter_options');
  assert.equal(options.body.scenes[0].name, scene.name);
});

test('a job keeps the scene that it was accepted with, whatever becomes of the scene meanwhile', async () => {
  const own = await make('Ours');
  const filter = await makeFilter(own.name);
  assert.equal(filter.status, 201, JSON.stringify(filter.body));
  const { work, open, reached } = door();
  let files: string[] = [];
  server.engine.before = async (request, context) => {
    if (request.jobId.startsWith('preview-')) return;
    await work(request, context);
    const { filter: asked } = request;
    if (asked?.kind === 'scene' && asked.own) files = readdirSync(asked.own.files);
  };
  const [first, second] = [await run(filter.body.id), await run(filter.body.id)];
  assert.equal(first.status, 200);
  await reached;
  const before = await sceneBlobs(own.id);
  const changed = await account.call('PATCH', `${scenes}/${own.id}`, { title: 'Changed', horizon: 0.4 });
  assert.deepEqual([changed.status, changed.body.settings.title], [200, 'Changed']);
  assert.deepEqual(changed.body.filters, [{ id: filter.body.id, name: 'Beach' }]);
  assert.equal((await sceneBlobs(own.id)).length, before.length + 1, 'the files of the jobs are still there');
  const refused = await account.call('DELETE', `${scenes}/${own.id}`);
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'SCENE_IN_USE']);
  assert.equal((await account.call('DELETE', `${scenes}/${own.id}?force=true`)).status, 204);
  assert.equal((await sceneBlobs(own.id)).length, 1);
  open();
  for (const job of [first, second]) {
    const ended = await until(async () => {
      const { body } = await account.call('POST', `/v6/status/${job.body.id}`);
      console.log(JSON.stringify(body).slice(0, 200));
      return ['COMPLETED', 'FAILED'].includes(body.status) && body;
    });
    assert.equal(ended.status, 'COMPLETED', JSON.stringify(ended.error));
    const { filter: asked } = await requestOf(job.body.id);
    assert.deepEqual(asked?.kind === 'scene' && [asked.light, asked.own?.title], ['dusk', 'Ours']);
  }
  assert.deepEqual(files.toSorted(), ['landscape.webp', 'portrait.webp', 'scene.json', 'square.webp']);
  await until(async () => (await sceneBlobs(own.id)).length === 0);
  assert.deepEqual(
    [(await run(filter.body.id)).status, (await run(filter.body.id)).body.error_code],
    [422, 'WORKFLOW_FETCH_FAILED'],
  );
  server.engine.before = async () => {};
});

test('what stands in front is painted or outlined, and goes when it is removed', async () => {
  const own = await make('Bar');
  const outlines = [
    [
      [0, 0.8],
      [1, 0.8],
      [1, 1],
      [0, 1],
    ],
  ];
  const outlined = await account.call('PATCH', `${scenes}/${own.id}`, { foreground: { outlines } });
  assert.equal(outlined.status, 200, JSON.stringify(outlined.body));
  const shown = await fetch(outlined.body.foreground_url);
  const mask = await sharp(await shown.bytes())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (row: number) => mask.data[Math.floor(row * mask.info.height) * mask.info.width]!;
  assert.ok(at(0.7) < 10 && at(0.9) > 245);
  // Changing something else keeps it.
  await account.call('PATCH', `${scenes}/${own.id}`, { place: 'at the beach' });
  const painted = await sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
    .composite([
      { input: { create: { width: 300, height: 40, channels: 4, background: '#fff' } }, top: 160, left: 0 },
    ])
    .png()
    .toBuffer();
  const brushed = await account.call('PATCH', `${scenes}/${own.id}`, {
    foreground: { mask: painted.toString('base64') },
  });
  assert.deepEqual([brushed.status, brushed.body.settings.place], [200, 'at the beach']);
  assert.notEqual(brushed.body.foreground_url, null);
  assert.equal((await sceneBlobs(own.id)).length, 4, 'backdrop, thumbnail, mask and files');
  const cleared = await account.call('PATCH', `${scenes}/${own.id}`, { foreground: null });
  assert.equal(cleared.body.foreground_url, null);
  assert.equal((await sceneBlobs(own.id)).length, 3);
});

test('a preview shows settings that are not saved, costs nothing and leaves nothing', async () => {
  const credits = await account.credits();
  const path = `${scenes}/${scene.id}/preview`;
  const blobs = await server.blobKeys();
  let drawn = '';
  server.engine.before = async ({ filter }) => {
    if (filter?.kind === 'scene' && filter.own)
      drawn = await readFile(join(filter.own.files, 'scene.json'), 'utf8');
  };
  const tried = await account.call('POST', path, {
    ...{ people: { across: 0.2, face: 0.2 }, ratio: 'landscape', sample: 'two_people' },
  });
  server.engine.before = async () => {};
  assert.equal(tried.status, 200, JSON.stringify(tried.body));
  assert.equal(tried.body.images.length, 1);
  assert.equal(tried.body.quality.grade, 'fair');
  const { ratio, gender }: AnyParams = server.engine.requests.at(-1)!.params;
  assert.deepEqual([ratio, gender], ['landscape', 4]);
  assert.equal(JSON.parse(drawn).framing.portrait.one.face, 0.2);
  const saved = await account.call('POST', path, {});
  assert.equal(saved.status, 200);
  assert.equal(await account.credits(), credits);
  assert.deepEqual(await server.blobKeys(), blobs);
  assert.deepEqual((await account.call('GET', `${scenes}/${scene.id}`)).body.settings, scene.settings);
});

test('what cannot become a scene is refused with the reason', async () => {
  const small = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  const tooSmall = await account.call('POST', scenes, { image: small.toString('base64') });
  assert.deepEqual([tooSmall.status, tooSmall.body.error_code], [400, 'INVALID_IMAGE']);
  const crops = { ...scene.settings.crops, landscape: { x: 0.5, y: 0, width: 0.8 } };
  const outside = await account.call('PATCH', `${scenes}/${scene.id}`, { crops });
  assert.deepEqual([outside.status, outside.body.fields[0].path], [422, 'crops.landscape']);
  const stranger = await server.account();
  const other = await stranger.call('POST', filters, {
    ...{ name: 'n', filter_type: 'face_swap', definition: { kind: 'scene', scene: scene.name } },
  });
  assert.deepEqual([other.status, other.body.fields[0].path], [422, 'definition.scene']);
  const read = await stranger.call('GET', `${scenes}/${scene.id}`);
  assert.deepEqual([read.status, read.body.error_code], [404, 'SCENE_NOT_FOUND']);
});

test('two who change a scene at once are told', async () => {
  const path = `${scenes}/${scene.id}`;
  const { headers } = await account.call('GET', path);
  const match = { 'if-match': headers.get('etag')! };
  assert.equal((await account.call('PATCH', path, { title: 'Our beach' }, match)).status, 200);
  const late = await account.call('PATCH', path, { title: 'Mine' }, match);
  assert.deepEqual([late.status, late.body.error_code], [412, 'CHANGED_ELSEWHERE']);
});

test('the sweep keeps what a scene names and removes what nothing does', async () => {
  const { db, blobs, close } = await openStorage(server.config);
  try {
    const left = 'scenes/00000000-0000-7000-8000-000000000000-0123456789ab.tar';
    await blobs.put(left, Buffer.from('x'));
    const named = await sceneBlobs(scene.id);
    const log = { info() {}, warn() {}, error() {} } as never;
    await sweep({ db, blobs, log }, Date.now() + 2 * 3600_000);
    const keys = await server.blobKeys();
    assert.deepEqual([named.every((key) => keys.includes(key)), keys.includes(left)], [true, false]);
  } finally {
    await close();
  }
});

test('a scene is exported as a pack that another installation imports', async () => {
  const answer = await fetch(`${server.url}${scenes}/${scene.id}/pack`, {
    headers: { 'x-api-key': account.api_key },
  });
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="our-beach.tar"');
  const folder = mkdtempSync(join(tmpdir(), 'guise-pack-'));
  try {
    await pipeline(Readable.fromWeb(answer.body as never), unpackTar(folder));
    const pack = await importPack({ dataDir: folder }, join(folder, 'our-beach'), async () =>
      Buffer.from('x'),
    );
    assert.deepEqual([pack.name, pack.scenes.length, pack.filters.length], ['our-beach', 1, 1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
