import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CheckedVersion } from '@guise/contract/filter-details.ts';
import type { Quality } from '@guise/contract/quality.ts';
import { openStorage } from '../../src/app/storage.ts';
import { cannotMake } from '../../src/engines/engine.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ testsPerMinute: 0 });
  account = await server.account();
});
after(() => server.stop());

const filters = '/v1/users/me/my-custom-filters';
const scene = (name: string) => ({ kind: 'scene', scene: name });
const good: Quality = { grade: 'good', reasons: [] };

async function make(definition: object = scene('alpine-lake')): Promise<string> {
  const made = await account.call('POST', filters, { name: 'Mine', filter_type: 'face_swap', definition });
  assert.equal(made.status, 201);
  return made.body.id;
}
const detail = async (id: string) => (await account.call('GET', `${filters}/${id}`)).body;
const save = (id: string, body: object, headers?: Record<string, string>) =>
  account.call('POST', `${filters}/${id}/drafts`, body, headers);
const goLive = (id: string, version: number, body: object = {}, headers?: Record<string, string>) =>
  account.call('POST', `${filters}/${id}/versions/${version}/live`, body, headers);
const checked = (id: string, version: number) =>
  until(async () => {
    const { body } = await account.call('GET', `${filters}/${id}/versions/${version}`);
    return body.outcome !== 'waiting' && (body as CheckedVersion);
  });
const keysOf = async (id: string) => (await server.blobKeys()).filter((key) => key.includes(id));
const run = async (filter_id: string) => {
  const { status, body } = await account.call('POST', '/v6/run/face_swap', {
    base64: photo,
    gender: 1,
    filter_id,
  });
  assert.equal(status, 200);
  const made = await until(async () => server.engine.requests.find((request) => request.jobId === body.id));
  return made.filter;
};

test('a draft is saved and checked while jobs, aliases and lists go on with the live version; then it goes live', async () => {
  server.engine.quality = good;
  const id = await make();
  const credits = await account.credits();
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id, project: 'Gala' })).body;
  const saved = await save(id, { definition: scene('aurora'), name: 'Lights', note: 'North', based_on: 1 });
  assert.deepEqual([saved.status, saved.body.version, saved.body.draft], [201, 2, true]);

  const version = await checked(id, 2);
  assert.equal(version.outcome, 'passed');
  assert.deepEqual(
    version.checks.map(({ kind, photo: name, outcome }) => [kind, name, outcome]),
    [
      ['definition', null, 'passed'],
      ['engine', null, 'passed'],
      ['photo', 'One person', 'passed'],
      ['photo', 'Man', 'passed'],
    ],
  );
  assert.equal((await fetch(version.preview_images[0]!)).status, 200);
  const { versions } = (await account.call('GET', `${filters}/${id}/versions`)).body;
  assert.equal(versions[0].preview_images.length, 1, 'a draft is shown by a picture of its checks');
  const { custom_filters } = (await account.call('GET', '/v1/custom_filters')).body;
  const listed = custom_filters.find((row: { id: string }) => row.id === id);
  assert.deepEqual([listed.name, listed.version, listed.draft.version], ['Mine', 1, 2]);
  assert.deepEqual(await run(alias.id), scene('alpine-lake'));
  assert.equal(await account.credits(), credits - 2, 'checks cost nothing');

  const stale = await goLive(id, 2, {}, { 'if-match': '"9"' });
  assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  const live = await goLive(id, 2, {}, { 'if-match': '"1"' });
  assert.deepEqual(
    [live.status, live.body.version, live.body.name, live.body.draft, live.body.ready_by],
    [200, 2, 'Lights', null, account.email],
  );
  assert.equal(live.headers.get('etag'), '"2"');
  assert.equal(live.body.preview_images.length, 2, 'the pictures of its checks');
  assert.deepEqual(await run(alias.id), scene('aurora'));

  const undone = await account.call('POST', `${filters}/${id}/versions/1/restore`);
  assert.deepEqual([undone.body.version, undone.body.definition], [3, scene('alpine-lake')]);
  assert.deepEqual(await run(id), scene('alpine-lake'));
  const storage = await openStorage(server.config);
  const log = { info() {}, warn() {}, error() {} } as never;
  await sweep({ db: storage.db, blobs: storage.blobs, log }, Date.now() + 2 * 3600_000);
  await storage.close();
  assert.ok((await keysOf(id)).length >= 2, 'pictures of checks are kept with their version');
  assert.equal((await account.call('DELETE', `${filters}/${id}?force=true`)).status, 204);
  assert.deepEqual(await keysOf(id), []);
});

test('a PATCH goes live at once, takes the next number and leaves the draft as it is', async () => {
  const id = await make();
  await save(id, { definition: scene('aurora') });
  const patched = await account.call(
    'PATCH',
    `${filters}/${id}`,
    { definition: scene('ballroom') },
    { 'if-match': '"1"' },
  );
  assert.deepEqual([patched.status, patched.headers.get('etag')], [200, '"3"']);
  assert.deepEqual(await run(id), scene('ballroom'));
  assert.equal((await detail(id)).draft.version, 2);
  const { versions } = (await account.call('GET', `${filters}/${id}/versions`)).body;
  assert.deepEqual(
    versions.map((row: CheckedVersion) => [row.version, row.current, row.draft]),
    [
      [3, true, false],
      [2, false, true],
      [1, false, false],
    ],
  );
  const first = (await account.call('GET', `${filters}/${id}/versions?limit=1`)).body;
  const rest = (await account.call('GET', `${filters}/${id}/versions?limit=2&cursor=${first.next_cursor}`))
    .body;
  assert.deepEqual(
    [...first.versions, ...rest.versions].map((row: CheckedVersion) => row.version),
    [3, 2, 1],
  );
  await checked(id, 2);
  const live = await goLive(id, 2);
  assert.deepEqual([live.body.version, live.body.definition], [4, scene('aurora')]);
  assert.equal((await checked(id, 4)).outcome, 'passed');
});

test('a draft that cannot work does not go live, and one whose checks wait only when the caller says so', async () => {
  const id = await make();
  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  await save(id, { definition: scene('aurora') });
  const failed = await checked(id, 2);
  assert.equal(failed.outcome, 'failed');
  assert.deepEqual(failed.checks.at(-1)!.sentences, ['No face was found in the photo.']);
  for (const body of [{}, { unchecked: true }]) {
    const refused = await goLive(id, 2, body);
    assert.deepEqual([refused.status, refused.body.error_code], [409, 'CHECKS_FAILED']);
    assert.match(refused.body.error, /cannot go live. No face was found/);
  }

  const held = door();
  server.engine.before = held.work;
  const again = await account.call('POST', `${filters}/${id}/versions/2/check`);
  assert.deepEqual([again.status, again.body.outcome], [200, 'waiting']);
  const early = await goLive(id, 2);
  assert.deepEqual([early.status, early.body.error_code], [409, 'CHECKS_WAITING']);
  const live = await goLive(id, 2, { unchecked: true });
  assert.deepEqual([live.status, live.body.version], [200, 2]);
  held.open();
  server.engine.before = async () => {};
  assert.equal((await checked(id, 2)).outcome, 'passed', 'the checks of the version go on');
  assert.equal((await goLive(id, 2)).status, 404, 'it is no draft any more');
});

test('a check says what is ignored of the words, what the judge found, and keeps no picture of own photos', async () => {
  const set = (await account.call('POST', '/v1/photo_sets', { name: 'Staff' })).body;
  const added = await account.call('POST', `/v1/photo_sets/${set.id}/photos`, {
    name: 'Ada',
    people: 1,
    image: photo,
  });
  assert.equal(added.status, 201);
  server.engine.quality = { grade: 'fair', reasons: [{ check: 'missing limb', measure: 0.5, regions: [] }] };
  const id = await make();
  await save(id, { definition: { kind: 'prompt', prompt: 'an astronaut with qwrtzp' } });
  const { outcome, checks } = await checked(id, 2);
  server.engine.quality = good;
  assert.equal(outcome, 'warned');
  const own = checks.find((check) => check.photo === 'Ada')!;
  assert.deepEqual([own.outcome, own.picture_url], ['warned', null]);
  assert.deepEqual(own.sentences, ['An arm or a side of somebody may be missing.']);
  assert.ok(checks.find((check) => check.photo === 'One person')!.picture_url);
  assert.equal((await account.call('DELETE', `/v1/photo_sets/${set.id}`)).status, 204);
});

test('a newer draft takes the place of one that is checked; a stale one is 412, and a repeated request makes one', async () => {
  const id = await make();
  const held = door();
  server.engine.before = held.work;
  await save(id, { definition: scene('aurora'), based_on: 1 });
  const stale = await save(id, { definition: scene('ballroom'), based_on: 1 });
  assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  const body = { name: 'Renamed', based_on: 2 };
  const key = { 'idempotency-key': crypto.randomUUID() };
  const versions = [await save(id, body, key), await save(id, body, key)].map(
    (answer) => answer.body.version,
  );
  assert.deepEqual(versions, [3, 3]);
  held.open();
  server.engine.before = async () => {};
  const newest = await checked(id, 3);
  assert.deepEqual([newest.name, newest.definition], ['Renamed', scene('aurora')]);
  assert.ok(
    (await checked(id, 2)).checks.every(({ kind }) => kind !== 'photo'),
    'nobody waits for its photos',
  );

  const closed = await account.call('PATCH', `${filters}/${id}/draft`, { version: null });
  assert.deepEqual([closed.status, closed.body.draft], [200, null]);
  assert.equal((await save(id, { name: 'Next', based_on: 1 })).body.version, 4, 'numbers are not used twice');
  assert.equal((await account.call('PATCH', `${filters}/${id}/draft`, { version: 2 })).body.draft.version, 2);
  assert.equal((await account.call('PATCH', `${filters}/${id}/draft`, { version: 1 })).status, 404);
  assert.equal((await account.call('GET', `${filters}/${id}/export?version=3`)).body.name, 'Renamed');
});

test('a draft whose photos were never tried is not checked, and a newer draft leaves the checks of the live version', async () => {
  const id = await make();
  const held = door();
  server.engine.before = held.work;
  await save(id, { definition: scene('aurora') });
  await account.call('POST', `${filters}/${id}/versions/1/check`);
  await save(id, { name: 'Third' });
  assert.equal((await account.call('GET', `${filters}/${id}/versions/1`)).body.outcome, 'waiting');
  await account.call('PATCH', `${filters}/${id}/draft`, { version: 2 });
  const untried = await checked(id, 2);
  const early = await goLive(id, 2);
  held.open();
  server.engine.before = async () => {};
  assert.equal(untried.outcome, null);
  assert.deepEqual([early.status, early.body.error_code], [409, 'CHECKS_WAITING']);
  assert.match(early.body.error, /has not been checked/);
  const kinds = (await checked(id, 1)).checks.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['definition', 'engine', 'photo', 'photo']);
  await account.call('POST', `${filters}/${id}/versions/2/check`);
  await checked(id, 2);
  assert.equal((await goLive(id, 2)).status, 200);
});

test('a check of a photo that was removed meanwhile says so', async () => {
  const set = (await account.call('POST', '/v1/photo_sets', { name: 'Staff' })).body;
  const body = { name: 'Ada', people: 1, image: photo };
  await account.call('POST', `/v1/photo_sets/${set.id}/photos`, body);
  const id = await make();
  const held = door();
  server.engine.before = held.work;
  await save(id, { definition: scene('aurora') });
  await account.call('DELETE', `/v1/photo_sets/${set.id}`);
  held.open();
  server.engine.before = async () => {};
  const check = (await checked(id, 2)).checks.find((one) => one.photo === 'Ada')!;
  assert.deepEqual(check.sentences, ['This photo was removed from its set.']);
});

test('a template without a usable face is no draft, and leaves no photo behind', async () => {
  const id = await make();
  const { checkTemplate } = server.engine;
  server.engine.checkTemplate = async () => ({ width: 48, height: 64, faces: [], warnings: [] });
  const refused = await save(id, { definition: { kind: 'template', image: photo } });
  server.engine.checkTemplate = checkTemplate!;
  assert.deepEqual([refused.status, refused.body.fields[0].path], [422, 'definition.image']);
  assert.deepEqual(
    (await keysOf(id)).filter((key) => key.startsWith('templates')),
    [],
  );
  assert.equal((await detail(id)).draft, null);
  const stranger = await server.account();
  for (const [method, path, body] of [
    ['POST', 'drafts', { name: 'Theirs' }],
    ['PATCH', 'draft', { version: null }],
    ['GET', 'versions/1', undefined],
    ['POST', 'versions/1/check', undefined],
    ['POST', 'versions/1/live', {}],
  ] as const)
    assert.equal((await stranger.call(method, `${filters}/${id}/${path}`, body)).status, 404, path);
});

test('a filter names the events that offer it or an alias of it and have not ended', async () => {
  const id = await make();
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id })).body;
  const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
  const offer = (filter_id: string) => ({ id: 'one', kind: 'single', filter_id, labels: { en: 'One' } });
  for (const [name, ref, ends] of [
    ['Gala', id, 2],
    ['Fair', alias.id, 4],
    ['Other', 1, 4],
  ] as const) {
    const body = { name, starts_at: inHours(-1), ends_at: inHours(ends), offers: [offer(ref as string)] };
    const made = await account.call('POST', '/v1/events', body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
  }
  assert.deepEqual(
    (await detail(id)).events
      .map(({ name, open }: { name: string; open: boolean }) => [name, open])
      .toSorted(),
    [
      ['Fair', true],
      ['Gala', true],
    ],
  );
});
