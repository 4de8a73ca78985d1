import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer, until } from '../../../packages/server/test/support/harness.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import { callsOf, countRenders, create, definition, filters, submit } from './filter-calls.ts';

describe('limits of previews, tests and filters', () => {
  let server: TestServer;
  before(async () => {
    const limits = { concurrency: 2, testsPerMinute: 2, maxFilters: 3 };
    server = await startTestServer({ demo: false, ...limits });
  });
  after(() => server.stop());

  test('an account may start so many tests a minute, and answers tell how many are left', async () => {
    const [account, other] = [await server.account(), await server.account()];
    const path = `${filters}/${await create(account)}/test`;
    const first = await account.call('POST', path);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('ratelimit-limit'), '2');
    assert.equal(first.headers.get('ratelimit-remaining'), '1');
    assert.equal((await account.call('POST', path)).status, 200);
    const refused = await account.call('POST', path);
    assert.deepEqual([refused.status, refused.body.error_code], [429, 'RATE_LIMITED']);
    assert.match(refused.body.error, /^At most 2 tests a minute\. Retry after \d+ s\.$/);
    assert.equal(refused.headers.get('ratelimit-remaining'), '0');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    // Runs are counted by themselves, and so are other accounts.
    await submit(account);
    assert.equal((await other.call('POST', `${filters}/${await create(other)}/test`)).status, 200);
  });

  test('an account has at most as many filters as the setting says', async () => {
    const account = await server.account();
    const [first] = [await create(account), await create(account), await create(account)];
    const filter = { name: 'one more', filter_type: 'face_swap', definition: definition('a lake') };
    const refused = await account.call('POST', filters, filter);
    assert.deepEqual([refused.status, refused.body.error_code], [409, 'LIMIT_REACHED']);
    assert.equal(refused.body.error, 'This account has 3 filters, as many as it may have.');
    assert.equal((await account.call('DELETE', `${filters}/${first}`)).status, 204);
    await create(account);
  });

  test('a worker makes one preview at a time and leaves its other slots to jobs', async () => {
    await until(async () => (await countRenders(server.db)) === 0);
    const before = server.engine.requests.length;
    const gate = door();
    const [greedy, paying] = [await server.account(), await server.account()];
    server.engine.before = async (request, context) => {
      if (request.jobId.startsWith('preview-')) await gate.work(request, context);
    };
    const [made] = [await create(greedy), await create(greedy), await create(greedy)];
    await gate.reached;
    const job = await submit(paying);
    const status = await paying.call('POST', `/v6/status/${job}`, undefined, { prefer: 'wait=20' });
    assert.equal(status.body.status, 'COMPLETED');
    assert.deepEqual(callsOf(server.engine).slice(before), [made, job]);
  });
});
