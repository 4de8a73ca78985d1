import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Blobs } from '../../src/store/blobs.ts';
import type { Db } from '../../src/store/db.ts';
import { findJobById, type NewJob } from '../../src/store/job-records.ts';
import { type Claim, leaseMs, type Queue } from '../../src/store/queue.ts';
import { queuedJob, storedAccount, waitingJob } from '../jobs/queued-job.ts';
import { until } from '../support/harness.ts';

/** What every queue must do, whatever it is made of. `make` gives one on empty records. */
export function testQueue(
  name: string,
  make: () => Promise<{
    queue: Queue;
    db: Db;
    /** The same queue, where an account may have so many jobs running. */
    limited(perAccount: number): Promise<{ queue: Queue; close(): Promise<void> }>;
    close(): Promise<void>;
  }>,
): void {
  describe(`queue: ${name}`, () => {
    let parts: Awaited<ReturnType<typeof make>>;
    let accountId: string;
    before(async () => {
      parts = await make();
    });
    after(() => parts.close());
    beforeEach(async () => {
      accountId = (await storedAccount(parts.db)).id;
      for (let claim = await take(); claim; claim = await take()) await end(claim);
    });

    const family = 'self_prompt_v2';
    const take = (families: string[] = [family, 'face_swap_v6']) => parts.queue.take(families);
    const enqueue = (fields: Partial<NewJob> = {}) => queuedJob(parts.db, parts.queue, accountId, fields);
    const row = async (id: string) => (await parts.db.one(findJobById, { id }))!;
    const putBack = (claim: Claim, runAfter: number, why: 'retry' | 'loss' | 'shutdown') =>
      parts.db.transaction((tx) => parts.queue.putBack(tx, claim, runAfter, why));
    /** Puts the job where no other test takes it. */
    const end = async (claim: Claim) => {
      await putBack(claim, Number.MAX_SAFE_INTEGER, 'shutdown');
    };
    const taken = async () => {
      const claim = await take();
      assert.ok(claim);
      return claim;
    };

    test('gives nothing when nothing waits', async () => {
      assert.equal(await take(), undefined);
    });

    const enqueueMany = async (count: number, fields: Partial<NewJob> = {}) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) ids.push((await enqueue(fields)).id);
      return ids;
    };
    const takeAll = async () => {
      const ids: string[] = [];
      for (let claim = await take(); claim; claim = await take()) ids.push(claim.job.id);
      return ids;
    };

    test('gives the jobs of an account in the order they came', async () => {
      const ids = await enqueueMany(5);
      assert.deepEqual(await takeAll(), ids);
    });

    test('gives each job once, however many ask at once', async () => {
      const ids = await enqueueMany(10);
      const taken: string[] = [];
      const worker = async () => {
        while (taken.length < ids.length) {
          const claim = await take();
          if (claim) taken.push(claim.job.id);
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      assert.deepEqual(taken.sort(), ids.toSorted());
      assert.equal(await take(), undefined);
    });

    test('lets accounts take turns: whoever asks for much does not keep the others waiting', async () => {
      const many = await enqueueMany(30);
      assert.deepEqual([(await taken()).job.id, (await taken()).job.id], many.slice(0, 2));
      accountId = (await storedAccount(parts.db)).id;
      const few = await enqueueMany(2);
      accountId = (await storedAccount(parts.db)).id;
      const one = await enqueueMany(1);
      const order = await takeAll();
      assert.deepEqual(order.slice(0, 5), [many[2], few[0], one[0], many[3], few[1]]);
      assert.deepEqual(order.slice(5), many.slice(4));
    });

    test('lets an account that goes on asking and one with a backlog share evenly', async () => {
      const backlog = await enqueueMany(20);
      accountId = (await storedAccount(parts.db)).id;
      const given = { backlog: 0, other: 0 };
      for (let n = 0; n < 10; n++) {
        await enqueue();
        for (let k = 0; k < 2; k++) given[backlog.includes((await taken()).job.id) ? 'backlog' : 'other']++;
      }
      assert.deepEqual(given, { backlog: 10, other: 10 });
    });

    test('gives light jobs before heavy ones in each round, and heavy ones count for more', async () => {
      const heavy = await enqueueMany(2, { weight: 3 });
      accountId = (await storedAccount(parts.db)).id;
      const light = await enqueueMany(5);
      const order = [light[0], heavy[0], light[1], light[2], light[3], heavy[1], light[4]];
      assert.deepEqual(await takeAll(), order);
    });

    test('gives no more of an account than may run at once, and others meanwhile', async (t) => {
      const { queue, close } = await parts.limited(2);
      t.after(close);
      const many = await enqueueMany(6);
      accountId = (await storedAccount(parts.db)).id;
      const [other] = await enqueueMany(1);
      const claims = await Promise.all(Array.from({ length: 8 }, () => queue.take([family])));
      for (let claim = await queue.take([family]); claim; claim = await queue.take([family]))
        claims.push(claim);
      const running = claims.filter((claim) => claim !== undefined);
      assert.deepEqual(running.map((claim) => claim.job.id).sort(), [many[0], many[1], other].sort());
      await end(running.find((claim) => claim.job.id === many[0])!);
      assert.equal((await queue.take([family]))?.job.id, many[2]);
      assert.equal(await queue.take([family]), undefined);
    });

    test('gives only jobs of the families asked for', async () => {
      const { id } = await enqueue({ family: 'face_swap_v6' });
      assert.equal(await take([family]), undefined);
      assert.equal((await take(['face_swap_v6']))?.job.id, id);
    });

    test('gives a claimed job as running, with a lease, under a token that grows', async () => {
      const { id } = await enqueue();
      const began = Date.now();
      const claim = await taken();
      assert.equal(claim.job.state, 'running');
      assert.equal(claim.token, claim.job.claim);
      assert.ok(claim.job.lease_until! >= began + leaseMs);
      await putBack(claim, 0, 'shutdown');
      const again = await taken();
      assert.equal(again.job.id, id);
      assert.ok(again.token > claim.token);
    });

    test('gives nothing of a transaction that did not happen', async () => {
      await assert.rejects(
        parts.db.transaction(async (tx) => {
          await parts.queue.enqueue(tx, { ...waitingJob(accountId), turn: 0 });
          throw new Error('no');
        }),
      );
      assert.equal(await take(), undefined);
    });

    test('does not give a job before its time', async () => {
      await enqueue();
      await putBack(await taken(), Date.now() + 60_000, 'retry');
      assert.equal(await take(), undefined);
    });

    test('beating renews the lease and shows the progress, for the holder alone', async () => {
      const { id } = await enqueue();
      const claim = await taken();
      assert.equal(await parts.queue.beat(claim, 0.4), true);
      assert.equal((await row(id)).progress, 0.4);
      assert.equal(await parts.queue.beat({ ...claim, token: claim.token - 1 }, 0.9), false);
      assert.equal((await row(id)).progress, 0.4);
      await putBack(claim, Number.MAX_SAFE_INTEGER, 'shutdown');
      assert.equal(await parts.queue.beat(claim, 0.9), false);
    });

    test('putting back counts retries and losses, and nothing for a shutdown', async () => {
      const { id } = await enqueue();
      for (const why of ['retry', 'loss', 'shutdown', 'loss'] as const) {
        assert.equal(await putBack(await taken(), 0, why), true);
      }
      const { state, retries, losses, lease_until } = await row(id);
      assert.deepEqual(
        { state, retries, losses, lease_until },
        { state: 'queued', retries: 1, losses: 2, lease_until: null },
      );
    });

    test('a claim is worth nothing once it was put back', async () => {
      const { id } = await enqueue();
      const claim = await taken();
      await putBack(claim, 0, 'loss');
      assert.notEqual((await row(id)).claim, claim.token);
      assert.equal(await putBack(claim, 0, 'loss'), false);
      await end(await taken());
    });

    test('finds the claims whose lease has ended, and no others', async () => {
      await enqueue();
      const claim = await taken();
      const mine = async (now: number) =>
        (await parts.queue.lost(now)).filter((lost) => lost.job.id === claim.job.id);
      assert.deepEqual(await mine(Date.now()), []);
      const [lost] = await mine(Date.now() + leaseMs + 1000);
      assert.equal(lost?.token, claim.token);
      await end(claim);
      assert.deepEqual(await mine(Number.MAX_SAFE_INTEGER), []);
    });

    test('tells listeners of new work until they stop listening', async () => {
      let calls = 0;
      const stop = parts.queue.onWork(() => {
        calls++;
      });
      await enqueue();
      await until(async () => calls > 0);
      stop();
      const before = calls;
      await enqueue();
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      assert.equal(calls, before);
    });
  });
}

/** What every store of blobs must do. `make` gives an empty one. */
export function testBlobs(name: string, make: () => Promise<{ blobs: Blobs; close(): Promise<void> }>): void {
  describe(`blobs: ${name}`, () => {
    let parts: Awaited<ReturnType<typeof make>>;
    let blobs: Blobs;
    before(async () => {
      parts = await make();
      blobs = parts.blobs;
    });
    after(() => parts.close());

    const large = Buffer.alloc(700_001, 'the quick brown fox ');
    const keysOf = async (prefix: string) => {
      const keys: string[] = [];
      for await (const { key } of blobs.list(prefix)) keys.push(key);
      return keys.sort();
    };

    test('gives back what was put, whole and in parts', async () => {
      await blobs.put('results/aa/large', large);
      assert.ok((await blobs.read('results/aa/large'))?.equals(large));
      for (const range of [
        undefined,
        { start: 0, end: 0 },
        { start: 262_143, end: 262_144 },
        { start: 5, end: 700_000 },
      ]) {
        const blob = await blobs.open('results/aa/large');
        assert.equal(blob?.size, large.length);
        const wanted = large.subarray(range?.start ?? 0, (range?.end ?? large.length) + 1);
        assert.ok((await text(blob!.stream(range))) === wanted.toString(), JSON.stringify(range));
      }
    });

    test('takes a stream, and an empty blob', async () => {
      await blobs.put(
        'inputs/bb/streamed',
        (async function* () {
          yield Buffer.from('one ');
          yield Buffer.from('two');
        })(),
      );
      assert.equal((await blobs.read('inputs/bb/streamed'))?.toString(), 'one two');
      await blobs.put('inputs/bb/empty', Buffer.alloc(0));
      const empty = await blobs.open('inputs/bb/empty');
      assert.equal(empty?.size, 0);
      assert.equal(await text(empty!.stream()), '');
    });

    test('has nothing under a key that was never put or was removed', async () => {
      await blobs.put('inputs/cc/short', Buffer.from('x'));
      await blobs.remove('inputs/cc/short');
      await blobs.remove('inputs/cc/short');
      for (const key of ['inputs/cc/short', 'inputs/never/put']) {
        assert.equal(await blobs.read(key), undefined);
        assert.equal(await blobs.open(key), undefined);
      }
    });

    test('lists what is under a prefix, with its time, and nothing else', async () => {
      const began = Date.now();
      await blobs.put('templates/one', Buffer.from('1'));
      await blobs.put('templates/deep/two', Buffer.from('2'));
      await blobs.put('previews/three', Buffer.from('3'));
      assert.deepEqual(await keysOf('templates'), ['templates/deep/two', 'templates/one']);
      assert.deepEqual(await keysOf('nothing-here'), []);
      for await (const { modified } of blobs.list('templates')) {
        assert.ok(Math.abs(modified - began) < 60_000);
      }
    });

    test('keeps a blob readable to its end when it is removed meanwhile', async () => {
      await blobs.put('results/dd/going', large);
      const blob = await blobs.open('results/dd/going');
      const stream = blob!.stream();
      await blobs.remove('results/dd/going');
      assert.ok((await text(stream)) === large.toString());
    });

    for (const key of [
      '../outside',
      'inputs/../../outside',
      '/etc/passwd',
      'inputs/a b',
      'inputs',
      '',
      'inputs/\0',
    ]) {
      test(`refuses ${JSON.stringify(key)} as a key`, async () => {
        await assert.rejects(blobs.put(key, Buffer.from('x')));
        await assert.rejects(blobs.read(key));
        await assert.rejects(blobs.open(key));
        await assert.rejects(blobs.remove(key));
      });
    }

    test('a stream that is dropped before, during or after it is read leaves nothing open', {
      skip: process.platform !== 'linux' && 'looks into /proc',
    }, async () => {
      await blobs.put('results/ee/dropped', large);
      const open = () => readdirSync('/proc/self/fd').length;
      const before = open();
      for (let n = 0; n < 20; n++) {
        (await blobs.open('results/ee/dropped'))!.stream().destroy();
        const begun = (await blobs.open('results/ee/dropped'))!.stream();
        for await (const _ of begun) break;
        await text((await blobs.open('results/ee/dropped'))!.stream());
        await (await blobs.open('results/ee/dropped'))!.close();
      }
      await until(async () => open() <= before + 2);
    });
  });
}
