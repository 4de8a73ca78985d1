import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '../../src/http/routes.ts';
import { familyCases } from '../support/contract-cases.ts';
import {
  type Answer,
  errorIn,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';

let server: TestServer;
let owner: TestAccount;
let stranger: TestAccount;
before(async () => {
  // It asks for more tests than a minute allows.
  server = await startTestServer({ testsPerMinute: 0 });
  owner = await server.account();
  stranger = await server.account();
});
after(() => server.stop());

const missing = '00000000-0000-7000-8000-000000000000';
/** Has what the body of any of these routes needs. */
const anyBody = {
  name: 'n',
  project: 'p',
  ai_filter: '00000000-0000-4000-8000-000000000000',
  number: 1,
  change: {},
  image: photo,
  verdict: 'good',
  version: 1,
  ready: true,
  amount: 1,
  approval: 'approved',
  job_ids: ['00000000-0000-7000-8000-000000000000'],
};
const told = (answer: Answer) => ({ status: answer.status, body: { ...answer.body, request_id: '' } });

test('whatever a stranger asks of another account’s things is answered as if they did not exist', async () => {
  const ids = new Map<string, string>();
  const filter = await owner.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'mine',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'x' },
  });
  ids.set('filter', filter.body.id);
  ids.set('alias', (await owner.call('POST', '/api/alias/', { ai_filter: filter.body.id })).body.id);
  const event = await owner.call('POST', '/v1/events', {
    name: 'mine',
    time_zone: 'UTC',
    starts_at: '2026-01-01T00:00:00Z',
    ends_at: '2026-01-02T00:00:00Z',
    offers: [{ id: 'one', kind: 'single', filter_id: 1, labels: { en: 'One' } }],
  });
  assert.equal(event.status, 201, JSON.stringify(event.body));
  ids.set('event', event.body.id);
  for (const entry of familyCases)
    ids.set(entry.family, (await owner.call('POST', entry.run, entry.body)).body.id);

  // What only operators may call belongs to no account.
  const owned = routes.filter((route) => route.access === 'account' && route.scopes.join() !== 'operator');
  // A filter in the path of a photo is refused as in a run: tests of those have strangers too.
  const withId = owned.filter((route) => route.path.includes('{') && !route.path.includes('{filter}'));
  assert.ok(withId.length >= 14);
  for (const route of withId) {
    const body = route.bodyKind === 'json' ? anyBody : undefined;
    for (const id of ids.values()) {
      const ask = (asked: string) =>
        stranger.call(
          route.method,
          route.path
            .replace(/\{\w+\}/, asked)
            .replace('{ratio}', 'portrait')
            .replace(/\{\w+\}/, missing),
          body,
        );
      assert.deepEqual(told(await ask(id)), told(await ask(missing)), `${route.method} ${route.path}`);
      assert.equal((await ask(id)).status, 404, `${route.method} ${route.path}`);
    }
  }
  for (const path of ['/v1/jobs', '/api/alias/', '/v1/users/me/my-custom-filters', '/v1/users/me/credits']) {
    assert.ok(!JSON.stringify((await stranger.call('GET', path)).body).includes(ids.get('alias')!));
  }
});

test('every route states its access, and those that are public are these', () => {
  const open = routes
    .filter((route) => route.access === 'public')
    .map((route) => `${route.method} ${route.path}`);
  assert.deepEqual(open, [
    'POST /token',
    'GET /v1/sessions/current',
    'POST /v1/sessions',
    'POST /v1/engine_webhooks/fal',
    'GET /v1/phone_checks/{token}',
    'GET /health',
    'GET /ready',
    'GET /metrics',
    'GET /docs',
    'GET /docs/{file}',
    'GET /files/*',
    'GET /previews/options/{list}/{file}',
    'GET /previews/{catalog}/{file}',
    'GET /samples/{file}',
    'GET /openapi.json',
    'GET /',
    'GET /studio/*',
    'GET /studio/assets/{file}',
    'GET /booth',
    'GET /booth/{event}',
    'GET /g/{token}',
    'GET /wall/{event}',
    'GET /booth-files/{file}',
    'GET /booth-files/assets/{file}',
  ]);
});

test('every route that is not public answers a stranger without credentials with 401', async () => {
  for (const route of routes.filter((candidate) => candidate.access === 'account')) {
    const answer = await request(server.url, route.method, route.path.replace(/\{\w+\}/, missing));
    assert.equal(answer.status, 401, `${route.method} ${route.path}`);
    assert.ok(['UNAUTHORIZED', 'INVALID_API_KEY'].includes(errorIn(answer.body).code!));
  }
});
