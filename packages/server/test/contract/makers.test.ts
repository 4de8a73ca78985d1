import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Route } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import { sampleSet } from '../../src/qa/sample-set.ts';
import { statement } from '../../src/store/statement.ts';
import { familyCases } from '../support/contract-cases.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';
import { untilAborted } from '../support/test-engine.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 });
});
after(() => server.stop());

const expireKey = statement((db, p: { id: string }) =>
  db.updateTable('credentials').set({ expires_at: 1 }).where('id', '=', p.id),
);

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
const codeOf = ({ status, body }: Answer) => [status, body.error_code];
const statusOf = async (link: string) => {
  const { status, body } = await fetch(link);
  await body?.cancel();
  return status;
};
type Call = TestAccount['call'];

async function makeKey(call: Call, fields: object = {}): Promise<{ id: string; secret: string; call: Call }> {
  const made = await call('POST', '/v1/keys', { name: 'key', scopes: ['run', 'manage', 'read'], ...fields });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, secret } = made.body;
  const withKey: Call = (method, path, body) =>
    request(server.url, method, path, body, { 'x-api-key': secret });
  return { id, secret, call: withKey };
}

async function makeFilter(call: Call): Promise<string> {
  const definition = { kind: 'prompt', prompt: 'in the snow' };
  const filter = { name: 'Snow', filter_type: 'face_swap', definition };
  return (await call('POST', '/v1/users/me/my-custom-filters', filter)).body.id;
}

async function makeLink(call: Call): Promise<{ path: string; guest: Call }> {
  const wanted = { filter_id: await makeFilter(call), runs: 9, expires_at: inHours(24) };
  const made = await call('POST', '/v1/quick_test_links', wanted);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const token = made.body.url.split('/studio/quick-test/')[1];
  const guest: Call = (method, path, body, headers) =>
    request(server.url, method, path, body, { 'x-quick-test': token, ...headers });
  return { path: `/v1/quick_test_links/${made.body.id}`, guest };
}

const run = (call: Call) => call('POST', '/v2/run/self-prompt', { prompt: 'a lighthouse' });
const runAsGuest = (guest: Call) => guest('POST', '/v1/quick_test/runs', { image: photo });

test('a key ends with the key that made it, at once and however far down', async () => {
  const account = await server.account();
  const maker = await makeKey(account.call);
  const made = await makeKey(maker.call);
  const last = await makeKey(made.call);
  assert.equal((await run(last.call)).status, 200);
  const shown = async ({ id }: { id: string }) => {
    const { keys } = (await account.call('GET', '/v1/keys')).body;
    return keys.find((key: { id: string }) => key.id === id);
  };
  assert.equal((await shown(last)).made_by, made.id);
  assert.equal(
    (await shown(maker)).made_by,
    (await account.call('GET', '/v1/users/me')).body.key?.id ?? null,
  );
  // An expiry that is taken back brings back what it ended.
  await server.db.run(expireKey, { id: maker.id });
  assert.deepEqual(codeOf(await run(last.call)), [401, 'UNAUTHORIZED']);
  assert.equal((await shown(last)).state, 'expired');
  await account.call('PATCH', `/v1/keys/${maker.id}`, { expires_at: null });
  assert.equal((await run(last.call)).status, 200);
  assert.equal((await account.call('DELETE', `/v1/keys/${maker.id}`)).status, 204);
  for (const { call } of [maker, made, last]) assert.equal((await call('GET', '/v1/users/me')).status, 401);
  assert.equal((await shown(last)).state, 'revoked');
});

test('a budget that a key gets later limits what it made before: keys, links and booths together', async () => {
  const account = await server.account();
  const maker = await makeKey(account.call);
  const made = await makeKey(maker.call);
  const { guest } = await makeLink(maker.call);
  assert.equal((await run(made.call)).status, 200);
  assert.equal((await runAsGuest(guest)).status, 201);
  const limited = await account.call('PATCH', `/v1/keys/${maker.id}`, { budget: 4 });
  assert.deepEqual([limited.body.budget, limited.body.spent], [4, 3]);
  assert.deepEqual(codeOf(await run(made.call)), [402, 'INSUFFICIENT_CREDITS']);
  assert.equal((await runAsGuest(guest)).status, 201);
  assert.deepEqual(codeOf(await runAsGuest(guest)), [503, 'QUICK_TEST_PAUSED']);
  // What a limited key made is limited like it.
  const more = await made.call('POST', '/v1/keys', { name: 'one more', scopes: ['run'] });
  assert.deepEqual(codeOf(more), [403, 'KEY_LIMITED']);
});

test('a link ends with the key that made it, until somebody else changes it, and its files when it is deleted', async () => {
  const account = await server.account();
  const maker = await makeKey(account.call);
  const { path, guest } = await makeLink(maker.call);
  const started = await runAsGuest(guest);
  const wait = { prefer: 'wait=10' };
  const shown = await guest('GET', `/v1/quick_test/runs/${started.body.id}`, undefined, wait);
  assert.equal(shown.body.status, 'COMPLETED');
  const given = shown.body.image_url;
  assert.equal((await fetch(given, { method: 'HEAD' })).headers.get('cache-control'), 'no-store');
  const own = (await account.call('GET', `/v1/jobs/${started.body.id}`)).body.result_url;

  await account.call('DELETE', `/v1/keys/${maker.id}`);
  assert.deepEqual(codeOf(await guest('GET', '/v1/quick_test')), [410, 'QUICK_TEST_ENDED']);
  assert.deepEqual(codeOf(await runAsGuest(guest)), [410, 'QUICK_TEST_ENDED']);
  assert.equal((await account.call('GET', path)).body.state, 'expired');
  assert.deepEqual(await Promise.all([given, own].map(statusOf)), [200, 200]);
  assert.equal((await account.call('PATCH', path, { name: 'Ours now' })).body.state, 'valid');
  assert.equal((await guest('GET', '/v1/quick_test')).status, 200);

  assert.equal((await account.call('DELETE', path)).status, 204);
  assert.deepEqual(await Promise.all([given, own].map(statusOf)), [403, 200]);
  await account.call('DELETE', `/v1/jobs/${started.body.id}`);
  assert.equal(await statusOf(own), 404);
});

test('an event is paused while the key that made it has ended, until somebody else changes it', async () => {
  const account = await server.account();
  const maker = await makeKey(account.call);
  const made = await maker.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(5),
    offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
  });
  const path = `/v1/events/${made.body.id}`;
  const key = (await account.call('POST', `${path}/keys`, { name: 'tablet' })).body.secret;
  const booth = (method: string, end: string, body?: unknown) =>
    request(server.url, method, `/v1/booth${end}`, body, { 'x-api-key': key });
  const shoot = () => booth('POST', '/jobs', { guest: randomUUID(), offer_id: 'astronaut', image: photo });
  assert.equal((await shoot()).status, 201);
  await account.call('DELETE', `/v1/keys/${maker.id}`);
  assert.deepEqual(codeOf(await shoot()), [503, 'EVENT_PAUSED']);
  assert.equal((await booth('GET', '')).body.state, 'paused');
  assert.equal((await account.call('GET', path)).body.state, 'paused');
  assert.equal((await account.call('PATCH', path, { paused: false })).body.state, 'open');
  assert.equal((await shoot()).status, 201);
});

/** Requests that spend, by their endpoints, beside those of the job families: bodies, and what stands in their paths. */
function spendingRequests(filter: string, job: string): Record<string, [path: string, body?: unknown]> {
  const nobody = randomUUID();
  const filters = '/v1/users/me/my-custom-filters';
  const definition = { kind: 'prompt', prompt: 'in the snow' };
  const qaRun = { filter_id: filter, photo_set_id: sampleSet.id, photo_ids: [sampleSet.photos[0].id] };
  const edit = new FormData();
  edit.set('prompt', 'a lake');
  edit.set('image', new File([Buffer.from(photo, 'base64')], 'photo.jpg', { type: 'image/jpeg' }));
  return {
    'POST /v1/qa_runs': ['/v1/qa_runs', qaRun],
    'POST /v1/qa_runs/{id}/cells/{cell_id}/retry': [`/v1/qa_runs/${nobody}/cells/${nobody}/retry`],
    'POST /v1/users/me/my-custom-filters/{id}/test': [`${filters}/${filter}/test`],
    'POST /v1/users/me/my-custom-filters/{id}/drafts': [`${filters}/${filter}/drafts`, { definition }],
    'POST /v1/users/me/my-custom-filters/{id}/versions/{version}/check': [
      `${filters}/${filter}/versions/1/check`,
    ],
    'PUT /v1/aliases/{id}/draft': [`/v1/aliases/${nobody}/draft`, { ai_filter: filter }],
    'POST /v1/aliases/{id}/draft/check': [`/v1/aliases/${nobody}/draft/check`],
    'POST /v1/filter_drafts/test': ['/v1/filter_drafts/test', { filter_type: 'face_swap', definition }],
    'POST /v1/scenes/{id}/preview': [`/v1/scenes/${nobody}/preview`, {}],
    'POST /v1/jobs/{id}/retry': [`/v1/jobs/${job}/retry`],
    'POST /v1/jobs/batch': ['/v1/jobs/batch', { ids: [job], action: 'retry' }],
    'POST /sdapi/v1/txt2img': ['/sdapi/v1/txt2img', { prompt: 'a lake' }],
    'POST /sdapi/v1/img2img': ['/sdapi/v1/img2img', { prompt: 'a lake', init_images: [photo] }],
    'POST /openai/v1/images/generations': ['/openai/v1/images/generations', { prompt: 'a lake' }],
    'POST /openai/v1/images/edits': ['/openai/v1/images/edits', edit],
    'POST /v1/photo/{filter}': ['/v1/photo/1', edit],
  };
}

test('a key whose budget is spent starts nothing, by whichever endpoint', async (t) => {
  server.engine.before = untilAborted;
  t.after(() => {
    server.engine.before = async () => {};
  });
  const account = await server.account();
  const filter = await makeFilter(account.call);
  const job = (await run(account.call)).body.id;
  await account.call('POST', `/v1/jobs/${job}/cancel`);
  const { id, secret } = await makeKey(account.call, { budget: 1 });
  await account.call('PATCH', `/v1/keys/${id}`, { budget: 0 });
  const before = (await account.call('GET', '/v1/jobs')).body.jobs;

  const requests = spendingRequests(filter, job);
  for (const family of familyCases) requests[`POST ${family.run}`] = [family.run, family.body];
  const spends = ({ access, counted, authority }: Route) =>
    access === 'account' && (counted === 'runs' || authority?.price !== undefined);
  const spending = routes.filter(spends).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(Object.keys(requests).sort(), spending.sort());

  for (const [name, [path, body]] of Object.entries(requests)) {
    const isForm = body instanceof FormData;
    const response = await fetch(server.url + path, {
      method: name.slice(0, name.indexOf(' ')),
      headers: {
        authorization: `Bearer ${secret}`,
        'x-api-key': secret,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const told = await response.text();
    assert.match(told, /insufficient_(credits|quota)/i, `${name}: ${response.status} ${told}`);
    // OpenAI's clients know 429, and a batch says it of each job.
    const expected = name.includes('/openai/') ? 429 : name.endsWith('/batch') ? 200 : 402;
    assert.equal(response.status, expected, name);
  }
  assert.deepEqual((await account.call('GET', '/v1/jobs')).body.jobs, before);
  assert.deepEqual((await account.call('GET', '/v1/qa_runs')).body.qa_runs, []);
});

test('eight keys descend from one another, and no more', async () => {
  const account = await server.account();
  // The account's first key is the first of them.
  let last: { call: Call } = account;
  for (let generation = 2; generation <= 8; generation++) last = await makeKey(last.call);
  assert.equal((await run(last.call)).status, 200);
  const refused = await last.call('POST', '/v1/keys', { name: 'ninth', scopes: ['run'] });
  assert.deepEqual(codeOf(refused), [409, 'LIMIT_REACHED']);
});
