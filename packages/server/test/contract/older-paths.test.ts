import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { photo, request, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';
import { tinyPng } from '../support/test-engine.ts';

// What live clients of these paths send, and what they read of the answers.

let server: TestServer;
let account: TestAccount;
let bearer: Record<string, string>;
before(async () => {
  server = await startTestServer();
  account = await server.account();
  bearer = { authorization: `Bearer ${account.api_key}` };
});
after(() => server.stop());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  request(server.url, 'POST', path, body, { ...bearer, ...headers });
const requestOf = (id: string) => server.engine.requests.find(({ jobId }) => jobId === id)!;

for (const path of ['/v1/run/face_swap', '/v2/run/filter_id/', '/v2/run/filter_id']) {
  test(`POST ${path} is polled on /v2/status/{id} with an empty object`, async () => {
    const body = { base64: photo, filter_id: 1, gender: 1, capture_mode: 1, ratio: 'landscape' };
    const { id, status } = (await post(path, body)).body;
    assert.equal(status, 'QUEUED');
    const done = await post(`/v2/status/${id}`, {}, { prefer: 'wait=20' });
    assert.equal(done.body.status, 'COMPLETED');
    assert.deepEqual(done.body.output, { images: [tinyPng.toString('base64')] });
    const { params, size } = requestOf(id);
    assert.deepEqual(params, { filter_id: 1, gender: 1, ratio: 'landscape' });
    assert.deepEqual(size, { width: 1800, height: 1200 });
  });
}

test('a capture mode of 1 without a gender is a group, and is refused where the filter has none', async () => {
  const { body: filters } = await account.call('GET', '/v1/filters/');
  const idOf = (modes: string) =>
    Number(filters.find((entry: { modes: string[] }) => entry.modes.join() === modes).id);
  const run = { base64: photo, capture_mode: 1, ratio: null };
  const group = await post('/v1/run/face_swap', { ...run, filter_id: idOf('group') });
  await post(`/v2/status/${group.body.id}`, {}, { prefer: 'wait=20' });
  assert.deepEqual(requestOf(group.body.id).params, {
    filter_id: idOf('group'),
    gender: 4,
    ratio: 'portrait',
  });
  const blocked = await post('/v1/run/face_swap', { ...run, filter_id: idOf('single') });
  assert.deepEqual([blocked.status, blocked.body.error_code], [422, 'FILTER_BLOCKED']);
  assert.equal(typeof blocked.body.error, 'string');
});

for (const [overlay, ignored] of [
  [true, ['another', 'overlay: this server does not use it']],
  ['https://example.com/frame.png', ['another', 'overlay: this server does not use it']],
  [false, ['another']],
] as const) {
  test(`POST /v3/run/multi_swap with overlay ${overlay} says what it ignored`, async () => {
    const { id, status } = (await post('/v3/run/multi_swap', { input_image: photo, style_id: 2, overlay }))
      .body;
    assert.equal(status, 'IN_QUEUE');
    const done = await post(`/v3/status_multi_swap/${id}`, {}, { prefer: 'wait=20' });
    assert.deepEqual([done.body.status, done.body.ignored], ['COMPLETED', ignored]);
    assert.equal(done.body.output.images.length, 1);
  });
}

test('errors of the older paths have a sentence in error', async () => {
  for (const [path, body, code] of [
    ['/v1/run/face_swap', { base64: photo, filter_id: 999_999 }, 'FILTER_NOT_FOUND'],
    ['/v2/run/filter_id/', { filter_id: 1 }, 'VALIDATION_ERROR'],
    ['/v3/run/multi_swap', { input_image: '', style_id: 1 }, 'INVALID_IMAGE'],
    ['/v3/status_multi_swap/none', {}, 'JOB_NOT_FOUND'],
  ] as const) {
    const answer = await post(path, body);
    assert.equal(answer.body.error_code, code);
    assert.ok(answer.body.error.length > 0);
  }
});
