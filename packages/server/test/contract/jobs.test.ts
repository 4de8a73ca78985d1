import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { caseOf } from '../support/contract-cases.ts';
import {
  type Answer,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { door, untilAborted } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());
beforeEach(async () => {
  server.engine.before = async () => {};
  account = await server.account();
});

const { run, status, body } = caseOf('multi_swap_v5');
const submit = async (headers?: Record<string, string>) =>
  (await account.call('POST', run, body, headers)).body.id as string;
const ended = (id: string) => account.call('POST', status + id, undefined, { prefer: 'wait=20' });

test('GET /v1/jobs lists the caller’s jobs, newest first, in pages', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await submit());
  await ended(ids[0]!);
  const first = (await account.call('GET', '/v1/jobs?limit=3')).body;
  const second = (await account.call('GET', `/v1/jobs?limit=3&cursor=${first.next_cursor}`)).body;
  assert.deepEqual(
    [...first.jobs, ...second.jobs].map((job: { id: string }) => job.id),
    ids,
  );
  assert.equal(second.next_cursor, null);
  assert.deepEqual(Object.keys(first.jobs[0]), [
    'id',
    'family',
    'status',
    'progress',
    'filter',
    'credits',
    'created_at',
    'finished_at',
    'expires_at',
    'error',
    'cancelled',
    'can_retry',
    'key_id',
    'quick_test_link_id',
    'filter_name',
    'thumbnail_url',
    'media_type',
  ]);
  assert.equal(first.jobs[0].family, 'multi_swap_v5');
  assert.equal(first.jobs[0].filter, '1');
  assert.equal(first.jobs[0].credits, 3);
  assert.equal((await account.call('GET', '/v1/jobs?limit=0')).status, 422);
});

test('a queued and a running job can be cancelled: FAILED with the reason, credits back, engine stopped', async () => {
  let stopped = 0;
  server.engine.before = (request, context) => {
    context.signal.addEventListener('abort', () => stopped++);
    return untilAborted(request, context);
  };
  const credits = await account.credits();
  const ids = [await submit(), await submit(), await submit()];
  await until(async () => (await account.call('POST', status + ids[1])).body.status === 'PROCESSING');
  for (const id of ids) {
    const answer = await account.call('POST', `/v1/jobs/${id}/cancel`);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.status, 'FAILED');
    const after = await account.call('POST', status + id);
    assert.equal(after.body.status, 'FAILED');
    assert.equal(after.body.error, 'The job was cancelled.');
  }
  assert.equal(await account.credits(), credits);
  await until(async () => stopped >= 2);
});

test('cancelling a job that has ended changes nothing', async () => {
  const id = await submit();
  await ended(id);
  const answer = await account.call('POST', `/v1/jobs/${id}/cancel`);
  assert.equal(answer.body.status, 'COMPLETED');
  assert.equal((await ended(id)).body.status, 'COMPLETED');
});

test('DELETE /v1/jobs/{id} erases the job, its photos and its result', async () => {
  const id = await submit();
  await ended(id);
  assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
  assert.equal((await account.call('POST', status + id)).body.error_code, 'JOB_NOT_FOUND');
  assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 404);
  assert.deepEqual(
    (await server.blobKeys()).filter((key) => key.includes(id)),
    [],
  );
});

test('the same Idempotency-Key and body give the same answer and one job; another body is 409', async () => {
  const credits = await account.credits();
  const key = { 'idempotency-key': 'order-1' };
  const first = await account.call('POST', run, body, key);
  const again = await account.call('POST', run, body, key);
  assert.deepEqual(again.body, first.body);
  assert.equal(await account.credits(), credits - 3);
  const other = await account.call('POST', run, { ...body, outpaint: true }, key);
  assert.equal(other.status, 409);
  assert.equal(other.body.error_code, 'IDEMPOTENCY_CONFLICT');
  const elsewhere = await account.call('POST', '/v1/run/stylized_multi_swap', body, key);
  assert.equal(elsewhere.status, 409);
  const stranger = await server.account();
  assert.notEqual((await stranger.call('POST', run, body, key)).body.id, first.body.id);
});

test('a refused request does not use its Idempotency-Key up', async () => {
  const key = { 'idempotency-key': 'order-2' };
  assert.equal((await account.call('POST', run, { ...body, style_id: 99 }, key)).status, 422);
  assert.equal((await account.call('POST', run, body, key)).status, 200);
});

test('Prefer: wait holds the answer until the job ends, and no longer than it says', async () => {
  const gate = door();
  server.engine.before = gate.work;
  const id = await submit();
  const short = Date.now();
  assert.equal(
    (await account.call('POST', status + id, undefined, { prefer: 'wait=1' })).body.output.images,
    undefined,
  );
  assert.ok(Date.now() - short >= 900);
  const long = ended(id);
  gate.open();
  assert.equal((await long).body.status, 'COMPLETED');
});

test('a result can be read again and again, and is 410 JOB_EXPIRED when its time is over', async () => {
  const id = await submit();
  const first = await ended(id);
  assert.deepEqual((await ended(id)).body, first.body);
  // Some clients write UUIDs in capitals.
  assert.deepEqual((await ended(id.toUpperCase())).body, first.body);
  const { statement } = await import('../../src/store/statement.ts');
  const age = statement((db, p: { id: string }) =>
    db.updateTable('jobs').set({ expires_at: 1 }).where('id', '=', p.id),
  );
  await server.db.run(age, { id });
  const gone = await account.call('POST', status + id);
  assert.equal(gone.status, 410);
  assert.equal(gone.body.error_code, 'JOB_EXPIRED');
});

test('the ledger lists charge and refund of a job, newest first', async () => {
  server.engine.before = untilAborted;
  const id = await submit();
  await account.call('POST', `/v1/jobs/${id}/cancel`);
  const { body: credits } = await account.call('GET', '/v1/users/me/credits?limit=2');
  assert.equal(credits.balance, 1000);
  assert.deepEqual(
    credits.entries.map((entry: Record<string, unknown>) => [entry.amount, entry.reason, entry.job_id]),
    [
      [3, 'refund', id],
      [-3, 'charge', id],
    ],
  );
  const rest = await account.call('GET', `/v1/users/me/credits?cursor=${credits.next_cursor}`);
  assert.deepEqual(
    rest.body.entries.map((entry: { amount: number }) => entry.amount),
    [1000],
  );
  assert.equal(rest.body.next_cursor, null);
});

test('a full queue answers 503 QUEUE_FULL with Retry-After, uncharged, and those who wait are told for how long', async () => {
  const small = await startTestServer({ maxQueued: 2, accountQueueShare: 1, concurrency: 1 });
  try {
    const gate = door();
    small.engine.before = gate.work;
    const caller = await small.account();
    await caller.call('POST', run, body);
    await gate.reached;
    const queued = [await caller.call('POST', run, body), await caller.call('POST', run, body)];
    const answer = await caller.call('POST', status + queued[1]!.body.id, undefined, { prefer: 'wait=0' });
    assert.equal(answer.body.waiting.needs, 'slot');
    assert.ok(Number.isInteger(answer.body.waiting.expected_seconds));
    const credits = await caller.credits();
    const full = await caller.call('POST', run, body);
    assert.equal(full.status, 503);
    assert.equal(full.body.error_code, 'QUEUE_FULL');
    assert.ok(Number(full.headers.get('retry-after')) > 0);
    assert.equal(await caller.credits(), credits);
    gate.open();
  } finally {
    await small.stop();
  }
});

test('an account that starts more runs than a minute allows gets 429 RATE_LIMITED with Retry-After, and others do not', async () => {
  const limited = await startTestServer({ runsPerMinute: 3 });
  try {
    const [one, two] = [await limited.account(), await limited.account()];
    const answers: Answer[] = [];
    for (let i = 0; i < 7; i++) answers.push(await one.call('POST', run, body));
    // A minute may turn in the middle: then there are two times three.
    assert.ok(answers.slice(0, 3).every((answer) => answer.status === 200));
    const refused = answers.find((answer) => answer.status !== 200);
    assert.equal(refused?.status, 429);
    assert.equal(refused.body.error_code, 'RATE_LIMITED');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.match(refused.headers.get('ratelimit')!, /limit=3, remaining=0, reset=\d+/);
    assert.equal(answers[0]!.headers.get('ratelimit-remaining'), '2');
    assert.equal((await two.call('POST', run, body)).status, 200);
  } finally {
    await limited.stop();
  }
});

test('GET /v1/jobs/{id}/events sends the progress until the job ends', async () => {
  const gate = door();
  server.engine.before = async (request, context) => {
    context.progress(0.4);
    await gate.work(request, context);
  };
  const id = await submit();
  await gate.reached;
  const response = await fetch(`${server.url}/v1/jobs/${id}/events`, {
    headers: { 'x-api-key': account.api_key },
  });
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"progress":0.4')) gate.open();
  }
  const events = text
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(event.split('data: ')[1]!));
  assert.ok(events.some((event) => event.status === 'PROCESSING' && event.progress === 0.4));
  assert.deepEqual(events.at(-1), { id, status: 'COMPLETED', progress: 1, error: null });
  assert.match(text, /event: end\ndata: [^\n]+\n\n$/);
});

test('the progress of a job is no longer sent when the key is revoked', { timeout: 20_000 }, async () => {
  const gate = door();
  server.engine.before = gate.work;
  const other = await server.account();
  const { id } = (await other.call('POST', run, body)).body;
  await gate.reached;
  const response = await fetch(`${server.url}/v1/jobs/${id}/events`, {
    headers: { 'x-api-key': other.api_key },
  });
  const { key } = (await other.call('GET', '/v1/users/me')).body;
  assert.equal((await other.call('DELETE', `/v1/keys/${key.id}`)).status, 204);
  assert.doesNotMatch(await response.text(), /event: end/);
  gate.open();
});
