import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { grant } from '../../src/credits/ledger.ts';
import { cannotMake } from '../../src/engines/engine.ts';
import { createOnce } from '../../src/jobs/create-once.ts';
import { insertIdempotency, purgeIdempotency } from '../../src/store/idempotency-records.ts';
import { caseOf } from '../support/contract-cases.ts';
import { type Answer, startTestServer, type TestServer } from '../support/harness.ts';

const { run, body, price } = caseOf('face_swap_v1');
/** For what is asked a thousand times: without a photo, which would be read as often. */
const prompted = { ...caseOf('self_prompt_v2'), body: { prompt: 'on a mountain at sunrise' } };
let server: TestServer;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0 });
});
after(() => server.stop());

/** On 200 connections: a busy machine does not open a thousand within the client's ten seconds. */
async function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let begun = 0;
  const connections = Array.from({ length: 200 }, async () => {
    while (begun < count) answers.push(await work(begun++));
  });
  await Promise.all(connections);
  return answers;
}
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('1,000 submits at once with credits for 100: 100 are accepted, 900 answer 402, the balance is 0', async () => {
  const account = await server.account(100 * prompted.price);
  const answers = await times(1000, () => account.call('POST', prompted.run, prompted.body));
  assert.equal(countOf(answers, 200), 100);
  assert.equal(countOf(answers, 402), 900);
  assert.ok(
    answers.every(({ status, body }) => status === 200 || body.error_code === 'INSUFFICIENT_CREDITS'),
  );
  assert.equal(await account.credits(), 0);
  const ids = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.id);
  const { jobs } = (await account.call('GET', '/v1/jobs?limit=100')).body;
  assert.deepEqual(jobs.map((job: { id: string }) => job.id).sort(), ids.sort());
});

test('the same Idempotency-Key 1,000 times at once: one job, one charge, the same answer to all', async () => {
  const account = await server.account(100);
  const key = { 'idempotency-key': 'wedding-photo-1' };
  const answers = await times(1000, () => account.call('POST', prompted.run, prompted.body, key));
  assert.equal(countOf(answers, 200), 1000);
  assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
  assert.equal((await account.call('GET', '/v1/jobs')).body.jobs.length, 1);
  assert.equal(await account.credits(), 100 - prompted.price);
});

test('the same Idempotency-Key with another body, or on another endpoint, is 409 and uncharged', async () => {
  const account = await server.account(100);
  const key = { 'idempotency-key': 'wedding-photo-2' };
  const first = await account.call('POST', run, body, key);
  assert.equal(first.status, 200);
  const other = caseOf('self_prompt_v2');
  for (const [path, wanted] of [
    [run, { ...body, filter_id: 2 }],
    [other.run, other.body],
    [caseOf('face_swap_v5').run, body],
  ] as const) {
    const answer = await account.call('POST', path, wanted, key);
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error_code, 'IDEMPOTENCY_CONFLICT');
  }
  assert.equal(await account.credits(), 100 - price);
});

test('two accounts may use the same Idempotency-Key', async () => {
  const key = { 'idempotency-key': 'wedding-photo-3' };
  const ids = await times(2, async () => {
    const account = await server.account(100);
    return (await account.call('POST', run, body, key)).body.id;
  });
  assert.notEqual(ids[0], ids[1]);
});

test('a run that is refused does not use up its Idempotency-Key', async () => {
  const account = await server.account(0);
  const key = { 'idempotency-key': 'wedding-photo-4' };
  assert.equal((await account.call('POST', run, body, key)).status, 402);
  await server.db.transaction((tx) => grant(tx, account.id, price));
  assert.equal((await account.call('POST', run, body, key)).status, 200);
});

test('an Idempotency-Key is free again after its 24 hours, even before it is swept', async () => {
  const account = await server.account(100);
  const past = Date.now() - 1;
  await server.db.run(insertIdempotency, {
    account_id: account.id,
    key: 'last-years-photo',
    fingerprint: 'another body',
    job_id: 'gone',
    answer: '{}',
    expires_at: past,
    now: past,
  });
  const answers = await times(5, () =>
    account.call('POST', run, body, { 'idempotency-key': 'last-years-photo' }),
  );
  assert.equal(countOf(answers, 200), 5);
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
  assert.equal(await account.credits(), 100 - price);
});

test('credits of jobs that fail under load all come back, once', async () => {
  const account = await server.account(50 * price);
  server.engine.before = async () => {
    throw cannotMake('No face was found.');
  };
  const answers = await times(50, () => account.call('POST', run, body));
  assert.equal(countOf(answers, 200), 50);
  const { status } = caseOf('face_swap_v1');
  for (const answer of answers) {
    const end = await account.call('POST', status + answer.body.id, undefined, { prefer: 'wait=20' });
    assert.equal(end.body.status, 'FAILED');
  }
  assert.equal(await account.credits(), 50 * price);
});

test('a request whose key another one took is answered as that one was, also where that is erased meanwhile', async () => {
  const { id: accountId } = await server.account();
  const idempotency = { key: 'once', fingerprint: 'same' };
  const made: string[] = [];
  const ask = (id: string, meanwhile: () => Promise<unknown>) =>
    createOnce(server.db, {
      accountId,
      idempotency,
      async create(keepKey) {
        await meanwhile();
        await server.db.transaction((tx) => keepKey(tx, id)).finally(erase);
        made.push(id);
        return id;
      },
      find: async (found) => found,
    });
  const erase = () => server.db.run(purgeIdempotency, { now: Number.MAX_SAFE_INTEGER });
  const keepFirst = () =>
    server.db.run(insertIdempotency, {
      ...idempotency,
      account_id: accountId,
      job_id: 'first',
      answer: JSON.stringify({ id: 'first' }),
      expires_at: Date.now() + 60_000,
      now: Date.now(),
    });
  assert.equal(await ask('second', keepFirst), 'first');
  assert.deepEqual(made, []);
});
