import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mostVersions } from '@guise/contract/filter-details.ts';
import sharp from 'sharp';
import { openStorage } from '../../src/app/storage.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());

const filters = '/v1/users/me/my-custom-filters';
const scene = (name: string, more = {}) => ({ kind: 'scene', scene: name, ...more });
const green = (
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
).toString('base64');

async function make(definition: object, name = 'Mine'): Promise<string> {
  const made = await account.call('POST', filters, { name, filter_type: 'face_swap', definition });
  assert.equal(made.status, 201);
  return made.body.id;
}
const change = (id: string, body: object, headers?: Record<string, string>) =>
  account.call('PATCH', `${filters}/${id}`, body, headers);
const detail = (id: string) => account.call('GET', `${filters}/${id}`);
const shown = (id: string, isNew: (images: string[]) => boolean = (images) => images.length > 0) =>
  until(async () => {
    const { preview_images: images } = (await detail(id)).body;
    return isNew(images) && (images as string[]);
  });
const keysOf = async (id: string) => (await server.blobKeys()).filter((key) => key.includes(id));
const pathOf = (link: string) => new URL(link).pathname;

test('a filter is read with its definition, version and aliases; scenes have light, weather and palette', async () => {
  const definition = scene('alpine-lake', { light: 'dusk', weather: 'snow', palette: 'cool' });
  const id = await make(definition);
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id, project: 'Gala' })).body;
  const { status, body, headers } = await detail(id);
  assert.deepEqual([status, headers.get('etag')], [200, '"1"']);
  const { preview_images: _, created_at, updated_at, ...rest } = body;
  assert.deepEqual(rest, {
    id,
    name: 'Mine',
    filter_type: 'face_swap',
    origin: 'self_created',
    definition,
    version: 1,
    note: '',
    ready: false,
    ready_by: null,
    ready_at: null,
    draft: null,
    aliases: [{ id: alias.id, project: 'Gala' }],
    events: [],
  });
  for (const kind of ['light', 'weather', 'palette']) {
    const refused = await change(id, { definition: scene('alpine-lake', { [kind]: 'plaid' }) });
    assert.deepEqual([refused.status, refused.body.fields[0].path], [422, `definition.${kind}`]);
  }
  assert.equal((await detail(crypto.randomUUID())).status, 404);
  const stranger = await server.account();
  for (const path of ['', '/versions', '/export']) {
    assert.equal((await stranger.call('GET', `${filters}/${id}${path}`)).status, 404);
  }
});

test('a change or deletion with a stale If-Match is 412 and changes nothing, and leaves no photo behind', async () => {
  const id = await make(scene('alpine-lake'));
  const etag = (await detail(id)).headers.get('etag')!;
  const changed = await change(id, { name: 'Lake' }, { 'if-match': etag });
  assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"2"']);
  const body = { definition: { kind: 'template', image: photo } };
  const stale = await change(id, body, { 'if-match': etag });
  assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  assert.deepEqual(
    (await keysOf(id)).filter((key) => key.startsWith('templates')),
    [],
  );
  const gone = await account.call('DELETE', `${filters}/${id}`, undefined, { 'if-match': etag });
  assert.equal(gone.status, 412);
  assert.equal((await detail(id)).body.version, 2);
  for (const current of ['*', '"1", "3"']) {
    const right = await change(id, { name: 'Sea' }, { 'if-match': current });
    assert.equal(right.status, 200);
  }
});

test('an edit makes a version with its note, and an earlier one comes back with its photo and its preview', async () => {
  const id = await make({ kind: 'template', image: photo });
  const [firstPreview] = await shown(id);
  await change(id, { definition: { kind: 'template', image: green }, note: 'Greener' });
  await shown(id, ([link]) => link !== undefined && pathOf(link) !== pathOf(firstPreview!));
  await change(id, { name: 'Renamed' });

  const { versions, next_cursor } = (await account.call('GET', `${filters}/${id}/versions`)).body;
  assert.equal(next_cursor, null);
  assert.deepEqual(
    versions.map((row: { version: number; current: boolean; name: string; note: string }) => [
      row.version,
      row.current,
      row.name,
      row.note,
    ]),
    [
      [3, true, 'Renamed', ''],
      [2, false, 'Mine', 'Greener'],
      [1, false, 'Mine', ''],
    ],
  );
  assert.equal(pathOf(versions[2].preview_images[0]), pathOf(firstPreview!));
  const old = await fetch(versions[2].definition.image_url);
  assert.deepEqual([old.status, old.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal(Buffer.from(await old.arrayBuffer()).toString('base64'), photo);

  const made = server.engine.requests.length;
  const restored = await account.call('POST', `${filters}/${id}/versions/1/restore`, undefined, {
    'if-match': '"3"',
  });
  assert.deepEqual(
    [restored.status, restored.body.version, restored.body.name, restored.body.note],
    [200, 4, 'Renamed', 'Version 1 again'],
  );
  assert.equal(pathOf(restored.body.preview_images[0]), pathOf(firstPreview!));
  assert.equal(pathOf(restored.body.definition.image_url), pathOf(versions[2].definition.image_url));
  assert.equal(server.engine.requests.length, made, 'a preview that exists is not made again');
  const missing = await account.call('POST', `${filters}/${id}/versions/9/restore`);
  assert.deepEqual([missing.status, missing.body.error_code], [404, 'NOT_FOUND']);

  const page = (await account.call('GET', `${filters}/${id}/versions?limit=2`)).body;
  assert.deepEqual([page.versions.length, page.next_cursor], [2, '3']);
  const rest = (await account.call('GET', `${filters}/${id}/versions?limit=2&cursor=3`)).body;
  assert.deepEqual(
    rest.versions.map((row: { version: number }) => row.version),
    [2, 1],
  );

  const storage = await openStorage(server.config);
  const log = { info() {}, warn() {}, error() {} } as never;
  await sweep({ db: storage.db, blobs: storage.blobs, log }, Date.now() + 2 * 3600_000);
  await storage.close();
  assert.equal((await keysOf(id)).length, 4, 'both photos and both previews');
  assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);
  assert.deepEqual(await keysOf(id), []);
});

test('a version that was replaced before its preview was made does not show that of another', async () => {
  const id = await make(scene('alpine-lake'));
  await shown(id);
  server.engine.before = async (request) => {
    if (request.filter?.kind === 'scene' && request.filter.scene === 'aurora') throw new Error('no preview');
  };
  await change(id, { definition: scene('aurora') });
  await change(id, { definition: scene('ballroom') });
  server.engine.before = async () => {};
  const { versions } = (await account.call('GET', `${filters}/${id}/versions`)).body;
  assert.deepEqual(
    versions.slice(1).map((row: { preview_images: string[] }) => row.preview_images.length),
    [0, 1],
  );
});

test(`of a filter ${mostVersions} versions are kept, and the photos of older ones are removed`, async () => {
  const id = await make({ kind: 'template', image: photo });
  for (let edit = 1; edit <= mostVersions; edit++) {
    await change(id, edit === 1 ? { definition: scene('alpine-lake') } : { name: `Edit ${edit}` });
  }
  const { versions } = (await account.call('GET', `${filters}/${id}/versions`)).body;
  assert.deepEqual([versions.length, versions.at(-1).version], [mostVersions, 2]);
  assert.deepEqual(
    (await keysOf(id)).filter((key) => key.startsWith('templates')),
    [],
  );
});

test('a copy is a filter of its own, and an export is the body that makes it anew', async () => {
  const id = await make({ kind: 'template', image: green }, 'Poster');
  const copy = await account.call('POST', `${filters}/${id}/duplicate`, {});
  assert.deepEqual([copy.status, copy.body.name], [201, 'Poster copy']);
  const named = await account.call('POST', `${filters}/${id}/duplicate`, { name: 'Other' });
  assert.equal(named.body.name, 'Other');
  assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);

  const exported = await account.call('GET', `${filters}/${copy.body.id}/export`);
  assert.match(exported.headers.get('content-disposition')!, /^attachment; filename="guise-filter-/);
  assert.deepEqual(exported.body, {
    name: 'Poster copy',
    filter_type: 'face_swap',
    definition: { kind: 'template', image: `data:image/png;base64,${green}` },
  });
  const imported = await account.call('POST', filters, exported.body);
  assert.equal(imported.status, 201);
  const again = await account.call('GET', `${filters}/${imported.body.id}/export`);
  assert.deepEqual(again.body, exported.body);
});

test('filters, copies and aliases are made once for each Idempotency-Key', async () => {
  const id = await make(scene('alpine-lake'));
  for (const [path, body, other] of [
    [filters, { name: 'Once', filter_type: 'face_swap', definition: scene('aurora') }, { name: 'Twice' }],
    [`${filters}/${id}/duplicate`, {}, { name: 'Twice' }],
    ['/api/alias/', { ai_filter: id }, { project: 'Twice' }],
  ] as const) {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const made = await Promise.all([1, 2, 3].map(() => account.call('POST', path, body, key)));
    assert.deepEqual(
      made.map(({ status, body: { id: madeId } }) => [status, madeId]),
      made.map(() => [201, made[0]!.body.id]),
    );
    const conflict = await account.call('POST', path, { ...body, ...other }, key);
    assert.deepEqual([conflict.status, conflict.body.error_code], [409, 'IDEMPOTENCY_CONFLICT']);
  }
});
