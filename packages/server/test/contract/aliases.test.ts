import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());

async function filter(name: string, filter_type = 'face_swap'): Promise<string> {
  const definition = { kind: 'prompt', prompt: name };
  return (await account.call('POST', '/v1/users/me/my-custom-filters', { name, filter_type, definition }))
    .body.id;
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('an alias lives: created, resolved, listed, repointed with history, deleted', async () => {
  const [first, second] = [await filter('First'), await filter('Second')];
  const created = await account.call('POST', '/api/alias/', { ai_filter: first, project: 'Gala' });
  assert.equal(created.status, 201);
  assert.deepEqual(Object.keys(created.body), [
    'id',
    'ai_filter',
    'ai_filter_data',
    'project',
    'user',
    'created_at',
    'updated_at',
    'last_used',
    'history',
    'safe_filter',
    'filter_changed_at',
    'draft',
  ]);
  const { id } = created.body;
  assert.equal(created.body.ai_filter, first);
  assert.deepEqual(created.body.ai_filter_data, { label: 'First' });
  assert.equal(created.body.project, 'Gala');
  assert.equal(created.body.user, account.email);
  assert.match(created.body.created_at, iso);
  assert.equal(created.body.last_used, null);
  assert.deepEqual(created.body.history, []);

  assert.deepEqual((await account.call('GET', `/api/alias/${id}/`)).body, created.body);
  assert.deepEqual((await account.call('GET', `/api/alias/${id}`)).body, created.body);
  for (const path of ['/api/alias/', '/api/alias', '/my-aliases/', '/my-aliases']) {
    assert.deepEqual((await account.call('GET', path)).body, [created.body]);
  }

  const same = await account.call('PATCH', `/api/alias/${id}/`, { ai_filter: first });
  assert.equal(same.status, 200);
  assert.deepEqual(same.body.history, []);

  const moved = await account.call('PATCH', `/api/alias/${id}/`, { ai_filter: second });
  assert.equal(moved.body.ai_filter, second);
  assert.equal(moved.body.project, 'Gala');
  assert.equal(moved.body.history.length, 1);
  assert.deepEqual(Object.keys(moved.body.history[0]), ['ai_filter_id', 'ai_filter_name', 'time_removed']);
  assert.equal(moved.body.history[0].ai_filter_id, first);
  assert.equal(moved.body.history[0].ai_filter_name, 'First');
  assert.equal(moved.body.history[0].time_removed, moved.body.updated_at);

  const back = await account.call('PATCH', `/api/alias/${id}/`, { ai_filter: first, project: 'Ball' });
  assert.equal(back.body.project, 'Ball');
  assert.deepEqual(
    back.body.history.map((entry: { ai_filter_name: string }) => entry.ai_filter_name),
    ['First', 'Second'],
  );
  assert.equal((await account.call('DELETE', `/v1/users/me/my-custom-filters/${second}`)).status, 204);
  assert.equal((await account.call('GET', `/api/alias/${id}/`)).body.history.length, 2);

  assert.equal((await account.call('DELETE', `/api/alias/${id}/`)).status, 204);
  for (const method of ['GET', 'DELETE'] as const) {
    const gone = await account.call(method, `/api/alias/${id}/`);
    assert.equal(gone.status, 404);
    assert.equal(gone.body.error_code, 'ALIAS_NOT_FOUND');
  }
  assert.deepEqual((await account.call('GET', '/api/alias/')).body, []);
});

test('updated_at moves only with a change, and a project is no swap of the filter', async () => {
  const [first, second] = [await filter('First'), await filter('Second')];
  const made = await account.call('POST', '/api/alias/', { ai_filter: first, project: 'Gala' });
  const { id, created_at } = made.body;
  assert.equal(made.body.filter_changed_at, created_at);
  const path = `/api/alias/${id}/`;
  const patch = async (change: object) => {
    // Times have milliseconds: a change in the same one would look like none.
    const before = Date.now();
    await until(async () => Date.now() > before);
    return account.call('PATCH', path, change);
  };

  for (const same of [
    { ai_filter: first },
    { ai_filter: first.toUpperCase(), project: 'Gala' },
    { project: 'Gala', safe_filter: null },
  ]) {
    const answer = await patch(same);
    assert.deepEqual([answer.status, answer.body], [200, made.body]);
    assert.equal(answer.headers.get('etag'), made.headers.get('etag'));
  }

  const renamed = await patch({ project: 'Ball' });
  assert.ok(renamed.body.updated_at > created_at);
  assert.deepEqual([renamed.body.filter_changed_at, renamed.body.history], [created_at, []]);
  assert.notEqual(renamed.headers.get('etag'), made.headers.get('etag'));

  const moved = await patch({ ai_filter: second });
  assert.ok(moved.body.updated_at > renamed.body.updated_at);
  assert.equal(moved.body.filter_changed_at, moved.body.updated_at);
  const again = await patch({ project: 'Gala' });
  assert.ok(again.body.updated_at > moved.body.updated_at);
  assert.equal(again.body.filter_changed_at, moved.body.filter_changed_at);
  assert.deepEqual((await account.call('GET', '/api/alias/')).body[0], again.body);
  assert.equal((await account.call('DELETE', path)).status, 204);
});

test('an alias without a project has an empty one', async () => {
  const created = await account.call('POST', '/api/alias/', { ai_filter: await filter('Plain') });
  assert.equal(created.body.project, '');
});

test('an alias to an integer, to another alias or to an unknown filter is refused', async () => {
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: await filter('Real') })).body;
  for (const [ai_filter, code] of [
    [7, 'VALIDATION_ERROR'],
    ['7', 'VALIDATION_ERROR'],
    [alias.id, 'FILTER_NOT_FOUND'],
    [crypto.randomUUID(), 'FILTER_NOT_FOUND'],
  ]) {
    for (const [method, path] of [
      ['POST', '/api/alias/'],
      ['PATCH', `/api/alias/${alias.id}/`],
    ] as const) {
      const answer = await account.call(method, path, { ai_filter });
      assert.equal(answer.status, 422);
      assert.equal(answer.body.error_code, code);
    }
  }
});

test('a PATCH with neither field is 422 VALIDATION_ERROR', async () => {
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: await filter('Still') })).body;
  const answer = await account.call('PATCH', `/api/alias/${alias.id}/`, {});
  assert.equal(answer.status, 422);
  assert.equal(answer.body.error_code, 'VALIDATION_ERROR');
});

test('a filter that is renamed shows its new name through its aliases', async () => {
  const id = await filter('Old name');
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: id })).body;
  await account.call('PATCH', `/v1/users/me/my-custom-filters/${id}`, { name: 'New name' });
  assert.equal((await account.call('GET', `/api/alias/${alias.id}/`)).body.ai_filter_data.label, 'New name');
});

const aliasOf = async (ai_filter: string) =>
  (await account.call('POST', '/api/alias/', { ai_filter })).body as { id: string };
const ifMatch = (etag: string) => ({ 'if-match': etag });

test('an alias is read with an ETag, and a change or deletion with a stale one is 412 CHANGED_ELSEWHERE', async () => {
  const [first, second] = [await filter('First'), await filter('Second')];
  const { id } = await aliasOf(first);
  const read = await account.call('GET', `/v1/aliases/${id}`);
  assert.deepEqual(read.body, (await account.call('GET', `/api/alias/${id}/`)).body);
  const etag = read.headers.get('etag')!;
  const path = `/api/alias/${id}/`;
  const moved = await account.call('PATCH', path, { ai_filter: second }, ifMatch(etag));
  assert.equal(moved.status, 200);
  for (const [method, stalePath, body] of [
    ['PATCH', path, { ai_filter: first }],
    ['POST', `/v1/aliases/${id}/undo`, undefined],
    ['DELETE', path, undefined],
  ] as const) {
    const stale = await account.call(method, stalePath, body, ifMatch(etag));
    assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  }
  assert.equal((await account.call('GET', path)).body.ai_filter, second);
  const now = ifMatch(moved.headers.get('etag')!);
  assert.equal((await account.call('DELETE', path, undefined, now)).status, 204);
});

test('undo points an alias to its last filter that still exists, and a second one takes it back', async () => {
  const [first, second, third] = [await filter('First'), await filter('Second'), await filter('Third')];
  const { id } = await aliasOf(first);
  const undo = () => account.call('POST', `/v1/aliases/${id}/undo`);
  assert.deepEqual([(await undo()).status, (await undo()).body.error_code], [409, 'NOTHING_TO_UNDO']);
  for (const ai_filter of [second, third]) await account.call('PATCH', `/api/alias/${id}/`, { ai_filter });
  assert.equal((await undo()).body.ai_filter, second);
  const back = await undo();
  assert.equal(back.body.ai_filter, third);
  assert.deepEqual(
    back.body.history.map((entry: { ai_filter_name: string }) => entry.ai_filter_name),
    ['First', 'Second', 'Third', 'Second'],
  );
  await account.call('DELETE', `/v1/users/me/my-custom-filters/${second}`);
  assert.equal((await undo()).body.ai_filter, first);
});

test('an alias switches to its safe filter, which is protected like the filter it points to', async () => {
  const [shown, safe] = [await filter('Shown'), await filter('Safe')];
  const { id } = await aliasOf(shown);
  const change = (body: object) => account.call('PATCH', `/api/alias/${id}/`, body);
  const none = await account.call('POST', `/v1/aliases/${id}/safe`);
  assert.deepEqual([none.status, none.body.error_code], [409, 'NO_SAFE_FILTER']);
  assert.equal((await change({ safe_filter: crypto.randomUUID() })).body.error_code, 'FILTER_NOT_FOUND');
  assert.equal((await change({ safe_filter: safe })).body.safe_filter, safe);
  const refused = await account.call('DELETE', `/v1/users/me/my-custom-filters/${safe}`);
  assert.equal(refused.body.error_code, 'FILTER_IN_USE');
  const switched = await account.call('POST', `/v1/aliases/${id}/safe`);
  assert.deepEqual([switched.body.ai_filter, switched.body.history.length], [safe, 1]);
  await change({ ai_filter: shown });
  await account.call('DELETE', `/v1/users/me/my-custom-filters/${safe}?force=true`);
  assert.equal((await account.call('GET', `/v1/aliases/${id}`)).body.safe_filter, null);
});
