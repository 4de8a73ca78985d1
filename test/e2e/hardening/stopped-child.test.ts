import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { families } from '@guise/contract/families/families.ts';
import type { Engine } from '@guise/server/engines/engine.ts';
import { processPool } from '@guise/server/engines/pool/pool.ts';
import { listDeadLetters } from '@guise/server/store/dead-letters.ts';
import { childrenOf } from '../../../packages/server/test/support/children.ts';
import { startTestServer, type TestServer, until } from '../../../packages/server/test/support/harness.ts';

let server: TestServer;
/** What the engine does with the next job; the job after it is simply made. */
let act = 'works';

before(async () => {
  const pool = processPool({
    name: 'test',
    module: new URL('../../../packages/server/test/engines/pool-module.ts', import.meta.url),
    size: 1,
    abilities: families.map(({ name }) => ({ family: name })),
    limits: { silenceMs: 3000, memoryAtMost: 400 * 2 ** 20 },
  });
  const engine: Engine = {
    ...pool,
    run(request, context) {
      const prompt = act;
      act = 'works';
      return pool.run({ ...request, prompt }, context);
    },
  };
  server = await startTestServer({ concurrency: 1, demo: false }, () => [engine]);
});
after(() => server.stop());

const submit = async (does: string) => {
  act = does;
  const account = await server.account(10);
  const { id } = (await account.call('POST', '/v2/run/self-prompt', { prompt: 'a hill' })).body;
  const ended = async () =>
    (await account.call('POST', `/v2/status/${id}`, undefined, { prefer: 'wait=15' })).body;
  return { account, ended };
};

test('a job whose engine process is stopped is completed by another, and charged once', async () => {
  const { account, ended } = await submit('shows progress and waits');
  const [pid] = await until(async () => {
    const found = childrenOf('pool-child');
    return (await account.call('GET', '/v1/jobs')).body.jobs[0].progress > 0 && found;
  });
  process.kill(pid!, 'SIGSTOP');
  assert.equal((await ended()).status, 'COMPLETED');
  assert.equal((await account.call('GET', '/v1/users/me/credits')).body.entries.length, 2);
  assert.ok(!childrenOf('pool-child').includes(pid!));
});

for (const [does, sentence] of [
  ['overflows the stack', 'Something went wrong on the server while making this.'],
  ['takes ever more memory', 'This needed more memory than the server allows and was stopped.'],
] as const) {
  test(`a job that ${does} fails at its first try, and its credits come back once`, async () => {
    const { account, ended } = await submit(does);
    const { status, error } = await ended();
    assert.deepEqual([status, error], ['FAILED', sentence]);
    const { balance, entries } = (await account.call('GET', '/v1/users/me/credits')).body;
    assert.equal(balance, 10);
    assert.deepEqual(
      entries.map((entry: { reason: string }) => entry.reason),
      ['refund', 'charge', 'grant'],
    );
    const [letter] = await server.db.all(listDeadLetters, { limit: 1 });
    assert.deepEqual([letter!.account_id, letter!.retries], [account.id, 0]);
  });
}
