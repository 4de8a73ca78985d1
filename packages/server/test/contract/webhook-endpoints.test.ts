import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sweepExpired } from '../../src/jobs/sweep.ts';
import { statement } from '../../src/store/statement.ts';
import { caseOf } from '../support/contract-cases.ts';
import {
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let server: TestServer;
let account: TestAccount;
let stranger: TestAccount;
const received: Received[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(204).end();
});
let url: string;
before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  server = await startTestServer({ allowPrivateUrls: true });
  account = await server.account();
  stranger = await server.account();
});
after(async () => {
  await server.stop();
  receiver.close();
});

const { run, body } = caseOf('self_prompt_v2');
const missing = '00000000-0000-7000-8000-000000000000';

async function delivered(by = account): Promise<string> {
  const { id } = (await by.call('POST', run, { ...body, webhook_url: `${url}?table=7` })).body;
  await until(async () => (await by.call('GET', `/v1/webhook_deliveries/${id}`)).body.status === 'delivered');
  return id;
}
const sentTo = (id: string) => received.filter(({ headers }) => headers['webhook-id'] === id);

test('runs that name no address are told to the standing one of their account, and to no other', async () => {
  const path = '/v1/standing_webhook';
  const owner = await server.account();
  const started = async (own: Record<string, string | null>, by = owner) =>
    (await by.call('POST', run, { ...body, ...own })).body.id as string;
  assert.deepEqual((await owner.call('GET', path)).body, { url: null });
  const wrong = await owner.call('PUT', path, { url: 'ftp://example.com' });
  assert.deepEqual([wrong.status, wrong.body.error_code], [422, 'URL_NOT_ALLOWED']);
  assert.deepEqual((await owner.call('PUT', path, { url: `${url}?standing` })).body, {
    url: `${url}?standing`,
  });
  const [standing, empty, unset, own, other] = [
    await started({}),
    await started({ webhook_url: '' }),
    await started({ webhook_url: null }),
    await started({ webhook_url: `${url}?own` }),
    await started({}, stranger),
  ];
  const urlOf = async (id: string, by = owner) =>
    (await by.call('GET', `/v1/webhook_deliveries/${id}`)).body.url as string | undefined;
  for (const [id, to] of [
    [standing, 'standing'],
    [empty, 'standing'],
    [unset, 'standing'],
    [own, 'own'],
  ] as const) {
    await until(async () => sentTo(id).length === 1);
    assert.equal(await urlOf(id), `${url}?${to}`);
  }
  await stranger.call('POST', caseOf('self_prompt_v2').status + other, undefined, { prefer: 'wait=20' });
  assert.equal(await urlOf(other, stranger), undefined);
  assert.deepEqual((await owner.call('PUT', path, { url: null })).body, { url: null });
  const after = await started({});
  await owner.call('POST', caseOf('self_prompt_v2').status + after, undefined, { prefer: 'wait=20' });
  assert.equal(await urlOf(after), undefined);
});

test('a delivery is listed and read with its URL, event, status and times', async () => {
  const id = await delivered();
  const answer = await account.call('GET', `/v1/webhook_deliveries/${id}`);
  assert.equal(answer.status, 200);
  const { created_at, delivered_at, endpoint_id, ...rest } = answer.body;
  assert.deepEqual(rest, {
    id,
    job_id: id,
    url: `${url}?table=7`,
    event: 'job.completed',
    status: 'delivered',
    attempts: 1,
    last_status_code: 204,
    last_error: null,
    next_attempt_at: null,
  });
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
  assert.ok(Date.parse(delivered_at) >= Date.parse(created_at));
  const { webhook_endpoints } = (await account.call('GET', '/v1/webhook_endpoints')).body;
  assert.deepEqual(
    webhook_endpoints.map(({ created_at: _, ...endpoint }: { created_at: string }) => endpoint),
    [{ id: endpoint_id, url, status: 'enabled', failures: 0, failing_since: null, disabled_at: null }],
  );
});

test('deliveries are listed newest first, page by page', async () => {
  const owner = await server.account();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift(await delivered(owner));
  const page = async (query: string) =>
    (await owner.call('GET', `/v1/webhook_deliveries?limit=2${query}`)).body;
  const first = await page('');
  const second = await page(`&cursor=${first.next_cursor}`);
  const listed = [...first.webhook_deliveries, ...second.webhook_deliveries];
  assert.deepEqual(
    listed.map(({ id }) => id),
    ids,
  );
  assert.equal(second.next_cursor, null);
  const wrong = await owner.call('GET', '/v1/webhook_deliveries?cursor=%00');
  assert.deepEqual([wrong.status, wrong.body.error_code], [422, 'VALIDATION_ERROR']);
});

test('a replayed delivery arrives again with the same id and the same body', async () => {
  const id = await delivered();
  const answer = await account.call('POST', `/v1/webhook_deliveries/${id}/replay`);
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.body.status, answer.body.delivered_at], ['pending', null]);
  await until(async () => sentTo(id).length === 2);
  assert.equal(sentTo(id)[0]!.body, sentTo(id)[1]!.body);
});

test('another account’s deliveries and endpoints are answered as if they did not exist', async () => {
  const id = await delivered();
  const { endpoint_id } = (await account.call('GET', `/v1/webhook_deliveries/${id}`)).body;
  const calls = [
    ['GET', '/v1/webhook_deliveries/', id],
    ['POST', '/v1/webhook_deliveries/', `${id}/replay`],
    ['POST', '/v1/webhook_endpoints/', `${endpoint_id}/enable`],
  ] as const;
  for (const [method, path, rest] of calls) {
    const asked = await stranger.call(method, path + rest);
    const absent = await stranger.call(method, path + rest.replace(/^[\w-]{36}/, missing));
    const odd = await stranger.call(method, path + rest.replace(/^[\w-]{36}/, '%00'));
    assert.deepEqual([asked.status, absent.status, odd.status], [404, 404, 404]);
    assert.deepEqual({ ...asked.body, request_id: '' }, { ...absent.body, request_id: '' });
  }
  assert.deepEqual((await stranger.call('GET', '/v1/webhook_deliveries')).body.webhook_deliveries, []);
  assert.deepEqual((await stranger.call('GET', '/v1/webhook_endpoints')).body.webhook_endpoints, []);
});

test('an erased job’s delivery is erased with it', async () => {
  const id = await delivered();
  assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
  const answer = await account.call('GET', `/v1/webhook_deliveries/${id}`);
  assert.deepEqual([answer.status, answer.body.error_code], [404, 'WEBHOOK_DELIVERY_NOT_FOUND']);
});

test('deliveries are kept for 7 days', async () => {
  const id = await delivered();
  const dayMs = 24 * 3600_000;
  const status = async () => (await account.call('GET', `/v1/webhook_deliveries/${id}`)).status;
  const parts = { db: server.db, blobs: { remove: async () => {} }, log: { info() {} } } as never;
  await sweepExpired(parts, Date.now() + 6 * dayMs);
  assert.equal(await status(), 200);
  await sweepExpired(parts, Date.now() + 8 * dayMs);
  assert.equal(await status(), 404);
});

const endPrevious = statement((db, p: { account_id: string }) =>
  db.updateTable('webhook_secrets').set({ previous_until: 1 }).where('account_id', '=', p.account_id),
);

test('a rolled secret is shown once and signs beside the previous one for 24 h', async () => {
  const owner = await server.account();
  const first: string = (await owner.call('GET', '/v1/users/me/webhook-secret')).body.secret;
  const before = await owner.call('GET', '/v1/webhook_secret');
  assert.deepEqual([before.body.last4, before.body.previous_signs_until], [first.slice(-4), null]);

  const rolled = await owner.call('POST', '/v1/webhook_secret/roll', undefined, { 'idempotency-key': 'a' });
  assert.equal(rolled.status, 201);
  const { secret, previous_signs_until } = rolled.body;
  assert.match(secret, /^whsec_[\w+/]{43}=$/);
  assert.notEqual(secret, first);
  assert.ok(Math.abs(Date.parse(previous_signs_until) - Date.now() - 24 * 3600_000) < 60_000);
  const after = await owner.call('GET', '/v1/webhook_secret');
  const { secret: _, ...shown } = rolled.body;
  assert.deepEqual(after.body, shown);
  const hidden = await owner.call('GET', '/v1/users/me/webhook-secret');
  assert.deepEqual([hidden.status, hidden.body.error_code], [410, 'WEBHOOK_SECRET_ROLLED']);

  // A repeated call, as after a lost answer, does not roll again.
  const repeated = await owner.call('POST', '/v1/webhook_secret/roll', undefined, { 'idempotency-key': 'a' });
  assert.deepEqual(repeated.body, rolled.body);

  const signatures = async () => {
    const [{ headers, body: text }] = sentTo(await delivered(owner)) as [Received];
    const sign = (key: string) => {
      const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      return `v1,${hmac.update(signed).digest('base64')}`;
    };
    return { sent: headers['webhook-signature'], sign };
  };
  const both = await signatures();
  assert.equal(both.sent, `${both.sign(secret)} ${both.sign(first)}`);
  await server.db.run(endPrevious, { account_id: owner.id });
  const alone = await signatures();
  assert.equal(alone.sent, alone.sign(secret));

  const again = await owner.call('POST', '/v1/webhook_secret/roll');
  const last = await signatures();
  assert.equal(last.sent, `${last.sign(again.body.secret)} ${last.sign(secret)}`);
});

test('POST /v1/webhook_endpoints/test sends a signed delivery and tells what came of it', async () => {
  const send = (to: string) => account.call('POST', '/v1/webhook_endpoints/test', { url: to });
  const { body: answer, status } = await send(`${url}?table=9`);
  assert.equal(status, 200);
  assert.deepEqual([answer.status_code, answer.error], [204, null]);
  assert.ok(Number.isInteger(answer.ms) && answer.ms >= 0);
  const { headers, body: sent } = received.at(-1)!;
  assert.equal(JSON.parse(sent).type, 'webhook.test');
  assert.match(String(headers['webhook-signature']), /^v1,/);
  // Neither words nor time tell a name that does not exist from one of the operator's network.
  for (const nobody of ['http://127.0.0.1:1025/hook', 'http://localhost:1025/', 'http://nobody.invalid/']) {
    const { status_code, error, ms } = (await send(nobody)).body;
    assert.deepEqual([status_code, error, ms % 1000], [null, 'Could not reach the receiver.', 0], nobody);
    assert.ok(ms > 0);
  }
  assert.equal((await send('ftp://example.com/')).body.error_code, 'URL_NOT_ALLOWED');
});

test('an event tells of each picture that is ready, and once when its budget is low', async () => {
  const wanted = {
    name: 'Gala',
    starts_at: new Date(Date.now() - 60_000).toISOString(),
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
    budget: 2,
  };
  const made = await account.call('POST', '/v1/events', wanted);
  assert.equal(made.body.webhook_url, null);
  const event = `/v1/events/${made.body.id}`;
  assert.equal((await account.call('PATCH', event, { webhook_url: 'ftp://a.example/' })).status, 422);
  const hook = `${url}?event=gala`;
  assert.equal((await account.call('PATCH', event, { webhook_url: hook })).body.webhook_url, hook);
  const { secret } = (await account.call('POST', `${event}/keys`, { name: 'tablet' })).body;
  const shot = { offer_id: 'astronaut', image: photo };
  const headers = { 'x-api-key': secret };
  const jobs: string[] = [];
  for (const guest of [randomUUID(), randomUUID(), randomUUID()]) {
    const answer = await request(server.url, 'POST', '/v1/booth/jobs', { ...shot, guest }, headers);
    if (answer.status < 300) jobs.push(answer.body.id);
    else assert.equal(answer.body.error_code, 'EVENT_BUDGET_SPENT');
  }
  assert.equal(jobs.length, 2);
  const told = () =>
    received.map((one) => JSON.parse(one.body)).filter(({ data }) => data.event_id === made.body.id);
  await until(async () => told().length === 3);
  const ready = told().filter(({ type }) => type === 'event.picture_ready');
  assert.deepEqual(ready.map(({ data }) => data.job_id).toSorted(), jobs.toSorted());
  assert.equal(ready[0].data.offer_id, 'astronaut');
  const [low] = told().filter(({ type }) => type === 'event.budget_low');
  assert.deepEqual(low.data, { event_id: made.body.id, budget: 2, spent: 2, left: 0 });
  const { webhook_deliveries } = (await account.call('GET', '/v1/webhook_deliveries?limit=100')).body;
  const ofEvent = webhook_deliveries.filter((one: { url: string }) => one.url === hook);
  assert.deepEqual(
    ofEvent.map((one: { job_id: string | null }) => one.job_id).toSorted(),
    [...jobs, null].toSorted(),
  );
});
