import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Config } from '@guise/server/config.ts';
import { statement } from '@guise/server/store/statement.ts';
import { startTestServer, type TestServer, until } from '../../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';
import {
  callsOf,
  countRenders,
  create,
  definition,
  endlessWork,
  filters,
  openTest,
  previewsOf,
  submit,
} from './filter-calls.ts';

const deleteRenders = statement((db, _: Record<string, never>) => db.deleteFrom('renders'));

const postgres = await startPostgres();
after(() => postgres.stop());
const places: Record<string, () => Promise<Partial<Config>>> = {
  SQLite: async () => ({ demo: false }),
  PostgreSQL: async () => ({ demo: false, databaseUrl: await postgres.database() }),
};

for (const [name, place] of Object.entries(places))
  describe(`previews and tests of filters, on ${name}`, () => {
    let server: TestServer;
    let gate: ReturnType<typeof door>;
    before(async () => {
      server = await startTestServer({ ...(await place()), concurrency: 1, maxFilters: 0 });
    });
    beforeEach(() => {
      gate = door();
      server.engine.before = gate.work;
      server.engine.requests.length = 0;
    });
    afterEach(async () => {
      gate.open();
      await until(async () => (await countRenders(server.db)) === 0);
    });
    after(() => server.stop());

    test('beside 300 filters of one account, the preview of another is made within two turns', async () => {
      const [greedy, other] = [await server.account(), await server.account()];
      await create(greedy);
      await gate.reached;
      for (let made = 1; made < 300; made += 23)
        await Promise.all(Array.from({ length: Math.min(23, 300 - made) }, () => create(greedy)));
      const mine = await create(other);
      gate.open();
      await until(async () => (await previewsOf(other)).length === 1);
      const position = callsOf(server.engine).indexOf(mine);
      assert.ok(position <= 2, `it was made after ${position} others`);
      await server.db.run(deleteRenders, {});
    });

    test('jobs are made before previews and tests that waited longer', async () => {
      const [greedy, paying] = [await server.account(), await server.account()];
      const first = await submit(paying);
      await gate.reached;
      const made: string[] = [];
      for (let n = 0; n < 10; n++) made.push(await create(greedy, `place ${n}`));
      const tests = made.slice(0, 3).map((id) => openTest(greedy, id));
      await until(async () => (await countRenders(server.db)) === 13);
      const jobs = [first, await submit(paying), await submit(paying), await submit(paying)];
      gate.open();
      await until(async () => (await previewsOf(greedy)).length === 10);
      for (const { ended } of tests) assert.equal(await ended, 200);
      // A preview that the test before had begun may reach the engine late.
      const calls = callsOf(server.engine).filter((id) => [...made, ...jobs].includes(id));
      assert.deepEqual(calls.slice(0, 4), jobs);
      assert.equal(calls.length, 4 + 13);
    });

    test('a job stops a preview that is being made, which is made after it', async () => {
      const [owner, paying] = [await server.account(), await server.account()];
      const filter = await create(owner);
      await gate.reached;
      const job = await submit(paying);
      await until(async () => callsOf(server.engine).length === 2);
      gate.open();
      await until(async () => (await previewsOf(owner)).length === 1);
      assert.deepEqual(callsOf(server.engine), [filter, job, filter]);
    });

    test('edits of a filter leave one preview waiting, which is of the last version', async () => {
      const account = await server.account();
      const id = await create(account, 'version 0');
      await gate.reached;
      for (let n = 1; n <= 10; n++) {
        const change = { definition: definition(`version ${n}`) };
        assert.equal((await account.call('PATCH', `${filters}/${id}`, change)).status, 200);
      }
      assert.equal(await countRenders(server.db), 1);
      gate.open();
      await until(async () => (await countRenders(server.db)) === 0);
      assert.equal((await previewsOf(account)).length, 1);
      const prompts = server.engine.requests.map(({ filter }) => filter?.kind === 'prompt' && filter.prompt);
      assert.deepEqual(prompts, ['version 0', 'version 10']);
    });

    test('the preview of a deleted filter is not made', async () => {
      const account = await server.account();
      const kept = await create(account);
      await gate.reached;
      const deleted = await create(account);
      assert.equal((await account.call('DELETE', `${filters}/${deleted}`)).status, 204);
      assert.equal(await countRenders(server.db), 1);
      gate.open();
      await until(async () => (await countRenders(server.db)) === 0);
      assert.deepEqual(callsOf(server.engine), [kept]);
    });

    test('a test whose caller hangs up while it waits is never begun', async () => {
      const account = await server.account();
      const id = await create(account);
      await gate.reached;
      const { ended, hangUp } = openTest(account, id);
      await until(async () => (await countRenders(server.db)) === 2);
      hangUp();
      assert.equal(await ended, 'hung up');
      await until(async () => (await countRenders(server.db)) === 1);
      gate.open();
      await until(async () => (await previewsOf(account)).length === 1);
      assert.equal(server.engine.requests.length, 1);
    });

    test('a test whose caller hangs up while it runs is stopped, and leaves nothing', async () => {
      const account = await server.account();
      gate.open();
      const id = await create(account);
      await until(async () => (await previewsOf(account)).length === 1);
      const blobs = await server.blobKeys();
      const { work, begun } = endlessWork();
      server.engine.before = work;
      const { hangUp } = openTest(account, id);
      const signal = await begun;
      hangUp();
      await until(async () => signal.aborted);
      assert.equal(signal.reason, 'cancelled');
      assert.equal(await countRenders(server.db), 0);
      server.engine.before = async () => {};
      assert.equal((await account.call('POST', `${filters}/${id}/test`)).status, 200);
      assert.deepEqual(await server.blobKeys(), blobs);
    });

    test('of one account four tests wait at most, and there is room for those of others', async () => {
      const [greedy, other] = [await server.account(), await server.account()];
      const [mine, theirs] = [await create(greedy), await create(other)];
      await gate.reached;
      const waiting = await countRenders(server.db);
      const tests = Array.from({ length: 4 }, () => openTest(greedy, mine));
      await until(async () => (await countRenders(server.db)) === waiting + 4);
      const refused = await greedy.call('POST', `${filters}/${mine}/test`);
      assert.deepEqual([refused.status, refused.body.error_code], [429, 'RATE_LIMITED']);
      assert.equal(refused.headers.get('ratelimit-limit'), '4');
      assert.equal(refused.headers.get('retry-after'), '10');
      assert.equal(await countRenders(server.db), waiting + 4);
      const elsewhere = openTest(other, theirs);
      gate.open();
      for (const { ended } of [...tests, elsewhere]) assert.equal(await ended, 200);
    });
  });
