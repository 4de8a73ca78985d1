import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { photo, startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { tinyPng } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());

const filters = '/v1/users/me/my-custom-filters';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

for (const [path, type] of [
  ['/v1/filters/', 'face_swap'],
  ['/v5/filters', 'face_swap'],
  ['/v6/filters', 'face_swap'],
  ['/v4/multi_swap_styles/', 'multi_swap'],
  ['/v1/realistic_multiswap_styles/', 'multi_swap'],
  ['/v1/stylized_multiswap_styles/', 'multi_swap'],
] as const) {
  test(`GET ${path} is an array of entries with id and name first`, async () => {
    for (const variant of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]) {
      const { status, body } = await account.call('GET', variant);
      assert.equal(status, 200);
      assert.ok(body.length > 0);
      for (const entry of body) {
        assert.deepEqual(Object.keys(entry), ['id', 'name', 'preview_url', 'modes', 'filter_type']);
        assert.match(entry.id, /^\d+$/);
        assert.ok(entry.name.length > 0);
        assert.match(entry.preview_url, /^http:\/\/127\.0\.0\.1:\d+\/previews\//);
        assert.ok(entry.modes.every((mode: string) => mode === 'single' || mode === 'group'));
        assert.equal(entry.filter_type, type);
      }
    }
  });
}

for (const path of [
  '/v1/filters/',
  '/v5/filters',
  '/v6/filters',
  '/v4/multi_swap_styles/',
  '/v1/realistic_multiswap_styles/',
  '/v1/stylized_multiswap_styles/',
  '/v1/workflows/',
  filters,
]) {
  test(`GET ${path} is a map of names by id for those who ask for one, and a list for all others`, async () => {
    const list = (await account.call('GET', path)).body as { id: string; name: string }[];
    assert.ok(Array.isArray(list));
    const map = Object.fromEntries(list.map(({ id, name }) => [id, name]));
    const asked = await account.call('GET', `${path}?shape=map`);
    assert.deepEqual(asked.body, map);
    const accept = 'application/vnd.guise.map+json';
    const accepted = await account.call('GET', path, undefined, { accept });
    assert.match(accepted.headers.get('content-type')!, /^application\/vnd\.guise\.map\+json/);
    assert.match(accepted.headers.get('vary')!, /accept/i);
    assert.deepEqual(JSON.parse(accepted.body), map);
    const other = await account.call('GET', `${path}?shape=round`, undefined, { accept: 'application/json' });
    assert.deepEqual(other.body, list);
  });
}

test('GET /v1/workflows/ lists the capture modes', async () => {
  const { body } = await account.call('GET', '/v1/workflows/');
  assert.deepEqual(
    body.map(({ id, name }: { id: string; name: string }) => [id, name]),
    [
      ['0', 'Single'],
      ['1', 'Group'],
    ],
  );
});

test('realistic multi swap styles are the ids 1 to 25', async () => {
  const { body } = await account.call('GET', '/v1/realistic_multiswap_styles/');
  assert.deepEqual(
    body.map((entry: { id: string }) => Number(entry.id)),
    Array.from({ length: 25 }, (_, i) => i + 1),
  );
});

test('the face swap catalog is the same for v1, v5 and v6, and has filters blocked for groups and for singles', async () => {
  const lists = await Promise.all(
    ['/v1/filters', '/v5/filters', '/v6/filters'].map((path) => account.call('GET', path)),
  );
  assert.deepEqual(lists[0]!.body, lists[1]!.body);
  assert.deepEqual(lists[1]!.body, lists[2]!.body);
  const modes = lists[0]!.body.map((entry: { modes: string[] }) => entry.modes.join());
  assert.ok(modes.includes('single') && modes.includes('group') && modes.includes('single,group'));
});

test('a custom filter is made, listed, changed and deleted', async () => {
  const made = await account.call('POST', filters, {
    name: ' Snow ',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  assert.equal(made.status, 201);
  assert.deepEqual(Object.keys(made.body), [
    'id',
    'name',
    'filter_type',
    'preview_images',
    'origin',
    'created_at',
    'updated_at',
  ]);
  assert.match(made.body.id, uuid);
  assert.equal(made.body.name, 'Snow');
  assert.equal(made.body.origin, 'self_created');
  const listed = await account.call('GET', `${filters}/`);
  assert.deepEqual(
    listed.body.map((entry: { id: string }) => entry.id),
    [made.body.id],
  );
  const changed = await account.call('PATCH', `${filters}/${made.body.id}`, { name: 'Ice' });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.name, 'Ice');
  assert.ok(changed.body.updated_at >= made.body.updated_at);
  assert.equal((await account.call('DELETE', `${filters}/${made.body.id}`)).status, 204);
  assert.equal((await account.call('DELETE', `${filters}/${made.body.id}`)).status, 404);
  assert.deepEqual((await account.call('GET', filters)).body, []);
});

test('a custom filter gets a preview, made in the background and reached by a signed link', async () => {
  const { id } = (
    await account.call('POST', filters, {
      name: 'Shown',
      filter_type: 'multi_swap',
      definition: { kind: 'prompt', prompt: 'a lake' },
    })
  ).body;
  const [link] = await until(async () => {
    const entry = (await account.call('GET', filters)).body.find((row: { id: string }) => row.id === id);
    return entry.preview_images.length > 0 && entry.preview_images;
  });
  const preview = await fetch(link);
  assert.equal(preview.status, 200);
  assert.equal(preview.headers.get('content-type'), 'image/webp');
  assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);
  assert.equal((await fetch(link)).status, 404);
});

test('a template’s photo is checked when it is saved, and reaches the engine as a file', async () => {
  const make = (image: string) =>
    account.call('POST', filters, {
      name: 'T',
      filter_type: 'face_swap',
      definition: { kind: 'template', image },
    });
  assert.equal((await make('bm8=')).body.error_code, 'INVALID_IMAGE');
  assert.equal((await make('http://localhost/a.png')).body.error_code, 'URL_NOT_ALLOWED');
  const made = await make(photo);
  assert.equal(made.status, 201);
  const seen = await until(async () =>
    server.engine.requests.find((entry) => entry.filter?.kind === 'template'),
  );
  assert.ok(seen.filter?.kind === 'template' && seen.filter.image.startsWith(seen.scratch));
});

for (const [title, body, path] of [
  ['no name', { filter_type: 'face_swap', definition: { kind: 'prompt', prompt: 'x' } }, 'name'],
  [
    'an unknown type',
    { name: 'a', filter_type: 'hat', definition: { kind: 'prompt', prompt: 'x' } },
    'filter_type',
  ],
  ['no definition', { name: 'a', filter_type: 'face_swap' }, 'definition'],
  [
    'an unknown kind',
    { name: 'a', filter_type: 'face_swap', definition: { kind: 'spell' } },
    'definition.kind',
  ],
  [
    'an empty prompt',
    { name: 'a', filter_type: 'face_swap', definition: { kind: 'prompt', prompt: ' ' } },
    'definition.prompt',
  ],
  [
    'an unknown scene',
    { name: 'a', filter_type: 'face_swap', definition: { kind: 'scene', scene: 'nowhere' } },
    'definition.scene',
  ],
  [
    'a template for multi swap',
    { name: 'a', filter_type: 'multi_swap', definition: { kind: 'template', image: photo } },
    'definition.kind',
  ],
  [
    'a workflow without bindings',
    { name: 'a', filter_type: 'face_swap', definition: { kind: 'workflow', workflow: {} } },
    'definition.bindings',
  ],
] as const) {
  test(`a custom filter with ${title} is refused with VALIDATION_ERROR at ${path}`, async () => {
    const answer = await account.call('POST', filters, body);
    assert.equal(answer.status, 422);
    assert.equal(answer.body.error_code, 'VALIDATION_ERROR');
    assert.ok(
      answer.body.fields.some((field: { path: string }) => field.path === path),
      JSON.stringify(answer.body.fields),
    );
  });
}

test('deleting a filter that an alias points to is 409 naming the alias, unless forced', async () => {
  const filter = (
    await account.call('POST', filters, {
      name: 'Kept',
      filter_type: 'face_swap',
      definition: { kind: 'prompt', prompt: 'x' },
    })
  ).body;
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: filter.id })).body;
  const refused = await account.call('DELETE', `${filters}/${filter.id}`);
  assert.equal(refused.status, 409);
  assert.ok(refused.body.error.includes(alias.id));
  assert.equal((await account.call('DELETE', `${filters}/${filter.id}?force=true`)).status, 204);
  const left = await account.call('GET', `/api/alias/${alias.id}/`);
  assert.equal(left.body.ai_filter_data.label, 'Kept');
  const run = await account.call('POST', '/v6/run/face_swap', {
    base64: photo,
    gender: 0,
    filter_id: alias.id,
  });
  assert.equal(run.body.error_code, 'WORKFLOW_FETCH_FAILED');
});

test('a custom filter is tried on a sample photo in one call, uncharged', async () => {
  const credits = await account.credits();
  const { id } = (
    await account.call('POST', filters, {
      name: 'Tried',
      filter_type: 'face_swap',
      definition: { kind: 'prompt', prompt: 'a lake' },
    })
  ).body;
  const tried = await account.call('POST', `${filters}/${id}/test`);
  assert.equal(tried.status, 200);
  assert.deepEqual(tried.body, {
    images: [tinyPng.toString('base64')],
    applied: ['a thing'],
    ignored: ['another'],
  });
  assert.equal(await account.credits(), credits);
  assert.equal((await account.call('POST', `${filters}/${crypto.randomUUID()}/test`)).status, 404);
});
