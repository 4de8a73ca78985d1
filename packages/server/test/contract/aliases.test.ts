import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

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
