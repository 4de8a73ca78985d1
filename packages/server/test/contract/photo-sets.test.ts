import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { newId } from '../../src/ids.ts';
import { insertPhoto } from '../../src/store/qa/photo-set-records.ts';
import { childrenOf } from '../support/children.ts';
import {
  ownPictureProcesses,
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({}, undefined, ownPictureProcesses);
  account = await server.account();
});
after(() => server.stop());

const sets = '/v1/photo_sets';

async function makeSet(name = 'Booth', owner = account): Promise<string> {
  const { status, body } = await owner.call('POST', sets, { name });
  assert.equal(status, 201);
  return body.id;
}

const photoBlobs = async () => (await server.blobKeys()).filter((key) => key.startsWith('photos/'));

test('GET /v1/photo_sets begins with the sample photos, which can be read without credentials and are as large as they say', async () => {
  const { body } = await account.call('GET', sets);
  const [samples] = body.photo_sets;
  assert.equal(samples.read_only, true);
  assert.equal(body.next_cursor, null);
  const whole = (await account.call('GET', `${sets}/${samples.id}`)).body;
  assert.deepEqual(
    whole.photos.map(({ people }: { people: number }) => people),
    [1, 1, 2, 1, 1, 1],
  );
  for (const sample of whole.photos) {
    const file = await fetch(sample.url);
    assert.equal(file.headers.get('content-type'), 'image/jpeg');
    const { width, height } = await sharp(await file.bytes()).metadata();
    assert.deepEqual([width, height], [sample.width, sample.height]);
    const thumbnail = await fetch(sample.thumbnail_url);
    assert.equal(thumbnail.headers.get('content-type'), 'image/webp');
    const small = await sharp(await thumbnail.bytes()).metadata();
    assert.equal(Math.max(small.width, small.height), 384);
  }
});

test('photos are decoded in processes of their own, and those of another account do not wait for all of one', async () => {
  const [busy, other] = [await server.account(), await server.account()];
  const [busySet, otherSet] = [await makeSet('many', busy), await makeSet('one', other)];
  const add = async (owner: TestAccount, set: string, image: string) => {
    const { status } = await owner.call('POST', `${sets}/${set}/photos`, { name: 'photo', image });
    assert.equal(status, 201);
  };
  // Both processes are started before anything is compared.
  await Promise.all([add(busy, busySet, photo), add(other, otherSet, photo)]);
  assert.ok(childrenOf('decoding-runner').length > 0);
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const large = await sharp({ create: { width: 1500, height: 1500, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer();
  let unanswered = 10;
  const many = Array.from({ length: unanswered }, async () => {
    await add(busy, busySet, large.toString('base64'));
    unanswered--;
  });
  await until(async () => unanswered < 10);
  await add(other, otherSet, photo);
  assert.ok(unanswered > 2, `${unanswered} of 10 photos of the other account were unanswered`);
  await Promise.all(many);
});

test('the sample photos cannot be changed by anybody', async () => {
  const [{ id, first_photos }] = (await account.call('GET', sets)).body.photo_sets;
  for (const [method, path, body] of [
    ['PATCH', `${sets}/${id}`, { name: 'Mine' }],
    ['DELETE', `${sets}/${id}`, undefined],
    ['POST', `${sets}/${id}/photos`, { image: photo }],
    ['DELETE', `${sets}/${id}/photos/${first_photos[0].id}`, undefined],
  ] as const) {
    const answer = await account.call(method, path, body);
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error_code, 'PHOTO_SET_READ_ONLY');
  }
  for (const file of ['README.md', '..%2Ffilters.json', 'thumbnails%2Fastronaut.webp']) {
    assert.equal((await fetch(`${server.url}/samples/${file}`)).status, 404);
  }
});

test('a photo is stored upright, without its metadata, and with a thumbnail; signed links lead to both', async () => {
  const id = await makeSet('Upright');
  const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#306090' } })
    .withExif({ IFD0: { Copyright: 'a secret place', Make: 'Camera' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const added = await account.call('POST', `${sets}/${id}/photos`, {
    image: image.toString('base64'),
    name: ' Two guests ',
    people: 2,
  });
  assert.equal(added.status, 201);
  const { url, thumbnail_url, ...rest } = added.body;
  assert.deepEqual(rest, { id: added.body.id, name: 'Two guests', people: 2, width: 600, height: 900 });
  const bytes = await (await fetch(url)).bytes();
  const stored = await sharp(bytes).metadata();
  assert.deepEqual([stored.width, stored.height, stored.orientation], [600, 900, undefined]);
  assert.deepEqual([stored.exif, stored.xmp, stored.iptc], [undefined, undefined, undefined]);
  assert.ok(!Buffer.from(bytes).includes('a secret place'));
  const small = await sharp(await (await fetch(thumbnail_url)).bytes()).metadata();
  assert.deepEqual([small.format, small.width, small.height], ['webp', 256, 384]);
  assert.equal((await fetch(url.replace('expires=', 'expires=9'))).status, 403);
  const read = (await account.call('GET', `${sets}/${id}`)).body;
  assert.deepEqual(read.photos, [added.body]);
  const listed = (await account.call('GET', sets)).body.photo_sets.find(
    (set: { id: string }) => set.id === id,
  );
  assert.deepEqual([listed.photo_count, listed.first_photos], [1, [added.body]]);
});

test('what is no image, or a damaged one, is refused and leaves no blob', async () => {
  const id = await makeSet('Refused');
  const before = await photoBlobs();
  const broken = Buffer.from(photo, 'base64').subarray(0, -200).toString('base64');
  for (const image of ['bm8=', broken, '']) {
    const answer = await account.call('POST', `${sets}/${id}/photos`, { image });
    assert.deepEqual([answer.status, answer.body.error_code], [400, 'INVALID_IMAGE']);
  }
  const forbidden = await account.call('POST', `${sets}/${id}/photos`, { image: 'http://localhost/a.png' });
  assert.equal(forbidden.body.error_code, 'URL_NOT_ALLOWED');
  assert.deepEqual(await photoBlobs(), before);
});

test('an image of unusual kinds of pixels becomes a photo: transparent, grey, of 16 bits, in CMYK', async () => {
  const id = await makeSet('Kinds');
  const create = { width: 40, height: 30, channels: 4, background: '#ff000080' } as const;
  const plain = sharp({ create });
  const images = await Promise.all([
    plain.clone().png().toBuffer(),
    plain.clone().flatten().greyscale().jpeg().toBuffer(),
    plain.clone().toColourspace('rgb16').png().toBuffer(),
    plain.clone().flatten().toColourspace('cmyk').jpeg().toBuffer(),
    plain.clone().webp({ lossless: true }).toBuffer(),
  ]);
  for (const image of images) {
    const { status, body } = await account.call('POST', `${sets}/${id}/photos`, {
      image: image.toString('base64'),
    });
    assert.equal(status, 201, JSON.stringify(body));
    const stored = await sharp(await (await fetch(body.url)).bytes()).metadata();
    assert.deepEqual([stored.format, stored.space, stored.hasAlpha], ['jpeg', 'srgb', false]);
  }
});

test('removing a photo, or its set, erases its blobs at once', async () => {
  const before = await photoBlobs();
  const id = await makeSet('Erased');
  const add = async () => (await account.call('POST', `${sets}/${id}/photos`, { image: photo })).body;
  const [first, second] = [await add(), await add()];
  assert.equal((await photoBlobs()).length, before.length + 4);
  assert.equal((await account.call('DELETE', `${sets}/${id}/photos/${first.id}`)).status, 204);
  assert.equal((await account.call('DELETE', `${sets}/${id}/photos/${first.id}`)).status, 404);
  assert.equal((await fetch(first.url)).status, 404);
  assert.equal((await account.call('DELETE', `${sets}/${id}`)).status, 204);
  assert.equal((await account.call('GET', `${sets}/${id}`)).body.error_code, 'PHOTO_SET_NOT_FOUND');
  assert.equal((await fetch(second.url)).status, 404);
  assert.deepEqual(await photoBlobs(), before);
});

test('PATCH and DELETE with an outdated If-Match answer CHANGED_ELSEWHERE; adding a photo is a change', async () => {
  const id = await makeSet('Tagged');
  const etag = (await account.call('GET', `${sets}/${id}`)).headers.get('etag')!;
  const renamed = await account.call('PATCH', `${sets}/${id}`, { name: 'Named' }, { 'if-match': etag });
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Named']);
  const current = renamed.headers.get('etag')!;
  assert.notEqual(current, etag);
  const stale = await account.call('PATCH', `${sets}/${id}`, { name: 'Late' }, { 'if-match': etag });
  assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  await account.call('POST', `${sets}/${id}/photos`, { image: photo });
  const late = await account.call('DELETE', `${sets}/${id}`, undefined, { 'if-match': current });
  assert.equal(late.status, 412);
  assert.equal((await account.call('DELETE', `${sets}/${id}`, undefined, { 'if-match': '*' })).status, 204);
});

test('a POST that is repeated with its Idempotency-Key makes one thing, also at once', async () => {
  const key = { 'idempotency-key': 'set-1' };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => account.call('POST', sets, { name: 'Once' }, key)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  const conflict = await account.call('POST', sets, { name: 'Other' }, key);
  assert.equal(conflict.body.error_code, 'IDEMPOTENCY_CONFLICT');
  const { id } = answers[0]!.body;
  const blobs = (await photoBlobs()).length;
  const photos = await Promise.all(
    Array.from({ length: 3 }, () =>
      account.call('POST', `${sets}/${id}/photos`, { image: photo }, { 'idempotency-key': 'photo-1' }),
    ),
  );
  assert.equal(new Set(photos.map(({ body }) => body.id)).size, 1);
  assert.equal((await photoBlobs()).length, blobs + 2);
});

test('another account’s set does not exist, whatever is done to it', async () => {
  const id = await makeSet('Private');
  const added = (await account.call('POST', `${sets}/${id}/photos`, { image: photo })).body;
  const stranger = await server.account();
  for (const [method, path, body] of [
    ['GET', `${sets}/${id}`, undefined],
    ['PATCH', `${sets}/${id}`, { name: 'Mine' }],
    ['DELETE', `${sets}/${id}`, undefined],
    ['POST', `${sets}/${id}/photos`, { image: photo }],
    ['DELETE', `${sets}/${id}/photos/${added.id}`, undefined],
  ] as const) {
    const answer = await stranger.call(method, path, body);
    assert.deepEqual([answer.status, answer.body.error_code], [404, 'PHOTO_SET_NOT_FOUND']);
  }
  assert.equal((await stranger.call('GET', sets)).body.photo_sets.length, 1);
  // A photo of one set is not one of another.
  const own = await makeSet('Own', stranger);
  assert.equal((await stranger.call('DELETE', `${sets}/${own}/photos/${added.id}`)).status, 404);
  assert.equal((await fetch(added.url)).status, 200);
});

test('an account has at most 20 sets and a set at most 200 photos, also when they are added at once', async () => {
  const owner = await server.account();
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push(await makeSet(`Set ${i}`, owner));
  const refused = await owner.call('POST', sets, { name: 'One more' });
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'LIMIT_REACHED']);
  const pages = [await owner.call('GET', `${sets}?limit=15`)];
  pages.push(await owner.call('GET', `${sets}?limit=15&cursor=${pages[0]!.body.next_cursor}`));
  const listed = pages.flatMap(({ body }) => body.photo_sets.map((set: { id: string }) => set.id));
  assert.deepEqual(listed.slice(1), ids.toReversed());
  const set_id = ids[0]!;
  const row = { set_id, account_id: owner.id, name: 'P', people: null, width: 1, height: 1, created_at: 0 };
  for (let i = 0; i < 198; i++) await server.db.run(insertPhoto, { ...row, id: newId() });
  const added = await Promise.all(
    Array.from({ length: 5 }, () => owner.call('POST', `${sets}/${set_id}/photos`, { image: photo })),
  );
  assert.deepEqual(added.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
});
