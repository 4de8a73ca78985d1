import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { statement } from '@guise/server/store/statement.ts';
import { photo, startTestServer } from '../../../packages/server/test/support/harness.ts';

const path = '/v6/run/face_swap';
const run = { base64: photo, gender: 1, filter_id: 1 };

test('an account that fills its share of the queue leaves the rest to others', async () => {
  const server = await startTestServer({ maxQueued: 12, concurrency: 1 });
  try {
    server.engine.before = () => new Promise(() => {});
    const [greedy, other] = [await server.account(), await server.account()];
    const answers = [];
    for (let i = 0; i < 8; i++) answers.push(await greedy.call('POST', path, run));
    const accepted = answers.filter(({ status }) => status === 200).length;
    // Three wait, and perhaps one runs.
    assert.ok(accepted === 3 || accepted === 4, `${accepted} were accepted`);
    const refused = answers.at(-1)!;
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error_code, 'RATE_LIMITED');
    assert.equal(refused.headers.get('retry-after'), '10');
    assert.equal(refused.headers.get('ratelimit-limit'), '3');
    assert.equal(await greedy.credits(), 1000 - 2 * accepted);
    assert.equal((await other.call('POST', path, run)).status, 200);
  } finally {
    await server.stop();
  }
});

test('without any setting, runs and logins have limits that answers tell', async () => {
  const server = await startTestServer();
  try {
    assert.equal(server.config.runsPerMinute, 600);
    assert.equal(server.config.loginFailures, 10);
    const { headers } = await (await server.account()).call('POST', path, run);
    assert.equal(headers.get('ratelimit-limit'), '600');
    assert.equal(headers.get('ratelimit-remaining'), '599');
    assert.ok(Number(headers.get('ratelimit-reset')) <= 60);
  } finally {
    await server.stop();
  }
});

test('a run beyond the limit is refused before its body is read', async () => {
  const server = await startTestServer({ runsPerMinute: 1 });
  try {
    const account = await server.account();
    await account.call('POST', path, run);
    const refused = await account.call('POST', path, 'this is not JSON');
    assert.equal(refused.body.error_code, 'RATE_LIMITED');

    // Each job that is tried again is a run; what else is done with many is none.
    const other = await server.account();
    const ids = [randomUUID(), randomUUID()];
    const batch = (action: string) => other.call('POST', '/v1/jobs/batch', { ids, action });
    assert.deepEqual([(await batch('cancel')).status, (await batch('retry')).status], [200, 429]);
  } finally {
    await server.stop();
  }
});

const fillHistory = statement((db, p: { id: string; history: string }) =>
  db.updateTable('aliases').set({ history: p.history }).where('id', '=', p.id),
);

test('an account has at most 1,000 aliases, and each remembers at most 1,000 filters', async () => {
  const server = await startTestServer();
  try {
    const account = await server.account();
    const makeFilter = async (name: string) => {
      const definition = { kind: 'prompt', prompt: name };
      const filter = { name, filter_type: 'face_swap', definition };
      return (await account.call('POST', '/v1/users/me/my-custom-filters', filter)).body.id as string;
    };
    const [one, two] = [await makeFilter('one'), await makeFilter('two')];
    const make = () => account.call('POST', '/api/alias/', { ai_filter: one });
    const { id } = (await make()).body;
    const entry = { ai_filter_id: one, ai_filter_name: 'one', time_removed: '2026-01-01T00:00:00.000Z' };
    const history = JSON.stringify(Array.from({ length: 1000 }, () => entry));
    await server.db.run(fillHistory, { id, history });
    const changed = (await account.call('PATCH', `/api/alias/${id}/`, { ai_filter: two })).body;
    assert.equal(changed.history.length, 1000);
    assert.notEqual(changed.history.at(-1).time_removed, entry.time_removed);

    for (let made = 1; made < 1000; made += 37) {
      const batch = Array.from({ length: Math.min(37, 1000 - made) }, make);
      for (const { status } of await Promise.all(batch)) assert.equal(status, 201);
    }
    const refused = await make();
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error_code, 'LIMIT_REACHED');
  } finally {
    await server.stop();
  }
});
