import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '../../src/ids.ts';
import type { Db } from '../../src/store/db.ts';
import { findJobById, type NewJob } from '../../src/store/job-records.ts';
import { leaseMs } from '../../src/store/lease.ts';
import type { Claim, Claimable, Queue, RequeueReason } from '../../src/store/queue.ts';
import { queuedJob, storedAccount, waitingJob } from '../jobs/queued-job.ts';
import { until } from '../support/harness.ts';

/** What every implementation of `Queue` must do. `make` gives one on empty records. */
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
      for (let claim = await claimNext(); claim; claim = await claimNext()) await end(claim);
    });

    const family = 'self_prompt_v2';
    const everything = [{ family }, { family: 'face_swap_v6' }, { family: 'video_v2' }];
    const claimNext = (claimable: readonly Claimable[] = everything) => parts.queue.claim(claimable);
    const enqueue = (fields: Partial<NewJob> = {}) => queuedJob(parts.db, parts.queue, accountId, fields);
    const row = async (id: string) => (await parts.db.one(findJobById, { id }))!;
    const requeue = (claim: Claim, runAfter: number, reason: RequeueReason) =>
      parts.db.transaction((tx) => parts.queue.requeue(tx, claim, runAfter, reason));
    /** Requeues the job so late that no other test claims it. */
    const end = async (claim: Claim) => {
      await requeue(claim, Date.now() + 110_000, 'handover');
    };
    const claimOne = async () => {
      const claim = await claimNext();
      assert.ok(claim);
      return claim;
    };

    test('gives nothing when nothing is queued', async () => {
      assert.equal(await claimNext(), undefined);
    });

    const enqueueMany = async (count: number, fields: Partial<NewJob> = {}) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n++) ids.push((await enqueue(fields)).id);
      return ids;
    };
    const claimAll = async () => {
      const ids: string[] = [];
      for (let claim = await claimNext(); claim; claim = await claimNext()) ids.push(claim.job.id);
      return ids;
    };

    test('gives the jobs of an account in the order they came', async () => {
      const ids = await enqueueMany(5);
      assert.deepEqual(await claimAll(), ids);
    });

    test('gives each job once, however many ask at once', async () => {
      const ids = await enqueueMany(10);
      const claimed: string[] = [];
      const worker = async () => {
        while (claimed.length < ids.length) {
          const claim = await claimNext();
          if (claim) claimed.push(claim.job.id);
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      assert.deepEqual(claimed.sort(), ids.toSorted());
      assert.equal(await claimNext(), undefined);
    });

    test('serves accounts in turn: a large backlog of one does not delay the others', async () => {
      const many = await enqueueMany(30);
      assert.deepEqual([(await claimOne()).job.id, (await claimOne()).job.id], many.slice(0, 2));
      accountId = (await storedAccount(parts.db)).id;
      const few = await enqueueMany(2);
      accountId = (await storedAccount(parts.db)).id;
      const one = await enqueueMany(1);
      const order = await claimAll();
      assert.deepEqual(order.slice(0, 5), [many[2], few[0], one[0], many[3], few[1]]);
      assert.deepEqual(order.slice(5), many.slice(4));
    });

    test('shares evenly between an account that keeps submitting and one with a backlog', async () => {
      const backlog = await enqueueMany(20);
      accountId = (await storedAccount(parts.db)).id;
      const given = { backlog: 0, other: 0 };
      for (let n = 0; n < 10; n++) {
        await enqueue();
        for (let k = 0; k < 2; k++)
          given[backlog.includes((await claimOne()).job.id) ? 'backlog' : 'other']++;
      }
      assert.deepEqual(given, { backlog: 10, other: 10 });
    });

    test('a job that is queued again lets no later jobs of its account in before others that wait', async () => {
      const [early] = await enqueueMany(1);
      const claim = await claimOne();
      const first = accountId;
      accountId = (await storedAccount(parts.db)).id;
      const many = await enqueueMany(6);
      for (const id of many.slice(0, 5)) assert.equal((await claimOne()).job.id, id);
      await requeue(claim, 0, 'retry');
      accountId = (await storedAccount(parts.db)).id;
      const [waiting] = await enqueueMany(1);
      accountId = first;
      const [next, afterNext] = await enqueueMany(2);
      assert.deepEqual(await claimAll(), [early, many[5], waiting, next, afterNext]);
    });

    test('gives light jobs before heavy ones in each round, and heavy ones use more rounds', async () => {
      const heavy = await enqueueMany(2, { weight: 3 });
      accountId = (await storedAccount(parts.db)).id;
      const light = await enqueueMany(5);
      const order = [light[0], heavy[0], light[1], light[2], light[3], heavy[1], light[4]];
      assert.deepEqual(await claimAll(), order);
    });

    test('gives no more jobs of an account than may run at once, and those of others meanwhile', async (t) => {
      const { queue, close } = await parts.limited(2);
      t.after(close);
      const many = await enqueueMany(6);
      accountId = (await storedAccount(parts.db)).id;
      const [other] = await enqueueMany(1);
      const claims = await Promise.all(Array.from({ length: 8 }, () => queue.claim([{ family }])));
      for (let claim = await queue.claim([{ family }]); claim; claim = await queue.claim([{ family }]))
        claims.push(claim);
      const running = claims.filter((claim) => claim !== undefined);
      assert.deepEqual(running.map((claim) => claim.job.id).sort(), [many[0], many[1], other].sort());
      await end(running.find((claim) => claim.job.id === many[0])!);
      assert.equal((await queue.claim([{ family }]))?.job.id, many[2]);
      assert.equal(await queue.claim([{ family }]), undefined);
    });

    test('gives only jobs of the families asked for', async () => {
      const { id } = await enqueue({ family: 'face_swap_v6' });
      assert.equal(await claimNext([{ family }]), undefined);
      assert.equal((await claimNext([{ family: 'face_swap_v6' }]))?.job.id, id);
    });

    test('gives of a family only what is asked for: kinds of filter, filters, models, numbers of photos', async () => {
      const swap = { family: 'face_swap_v6', filter_ref: '7', filter_kind: 'scene', photo_count: 1 };
      const { family: other } = swap;
      for (const [fields, asked, refused] of [
        [swap, { kinds: ['scene', 'look'] }, { kinds: ['workflow'] }],
        [swap, { exceptKinds: ['workflow'] }, { exceptKinds: ['scene'] }],
        [swap, { filters: ['7'] }, { kinds: ['scene'], filters: ['8'] }],
        [{ ...swap, model: 'wan' }, { models: ['wan'] }, { models: ['ltx'] }],
        [swap, { photos: [1, 2] }, { photos: [2] }],
        [swap, {}, { kinds: [] }],
        [{ ...swap, photos_stay: 0 }, { photosLeave: true }, { photos: [2] }],
        [{ ...swap, photos_stay: 1 }, { photos: [1] }, { photosLeave: true }],
        [{ ...swap, photo_count: null, photos_stay: 1 }, {}, { photosLeave: true }],
        // 0.05 of 4,096 is 0xcd, and 0.04 of it 0xa4.
        [{ ...swap, id: `${newId().slice(0, -3)}0cc` }, { share: 0.05 }, { share: 0.04 }],
        [
          { ...swap, filter_ref: null, filter_kind: null },
          { exceptKinds: ['workflow'], photos: [1] },
          { kinds: ['scene'] },
        ],
      ] as const) {
        const { id } = await enqueue(fields);
        assert.equal(await claimNext([{ family: other, ...refused }, { family }]), undefined);
        const claim = await claimNext([
          { family: other, ...refused },
          { family: other, ...asked },
        ]);
        assert.equal(claim?.job.id, id);
        await end(claim);
      }
    });

    test('gives a job of which only the family is known to whoever makes some of it', async () => {
      const { id } = await enqueue({ family: 'face_swap_v6', filter_kind: 'scene', photo_count: null });
      assert.equal((await claimNext([{ family: 'face_swap_v6', kinds: ['workflow'] }]))?.job.id, id);
    });

    test('gives nothing, and asks nothing, when no family is asked for', async () => {
      await enqueue();
      assert.equal(await claimNext([]), undefined);
    });

    test('gives a claimed job as running, with a lease, under a token that grows', async () => {
      const { id } = await enqueue();
      const began = parts.db.now();
      const claim = await claimOne();
      assert.equal(claim.job.state, 'running');
      assert.equal(claim.token, claim.job.claim);
      assert.ok(claim.job.lease_until! >= began + leaseMs);
      await requeue(claim, 0, 'handover');
      const again = await claimOne();
      assert.equal(again.job.id, id);
      assert.ok(again.token > claim.token);
    });

    test('gives nothing of a transaction that was rolled back', async () => {
      await assert.rejects(
        parts.db.transaction(async (tx) => {
          await parts.queue.enqueue(tx, { ...waitingJob(accountId), turn: 0 });
          throw new Error('no');
        }),
      );
      assert.equal(await claimNext(), undefined);
    });

    test('does not give a job before it is due', async () => {
      await enqueue();
      await requeue(await claimOne(), Date.now() + 60_000, 'retry');
      assert.equal(await claimNext(), undefined);
    });

    test('a heartbeat renews the lease and stores the progress, for the holder alone', async () => {
      const { id } = await enqueue();
      const claim = await claimOne();
      assert.equal(await parts.queue.heartbeat(claim, 0.4), true);
      assert.equal((await row(id)).progress, 0.4);
      assert.equal(await parts.queue.heartbeat({ ...claim, token: claim.token - 1 }, 0.9), false);
      assert.equal((await row(id)).progress, 0.4);
      await end(claim);
      assert.equal(await parts.queue.heartbeat(claim, 0.9), false);
    });

    test('requeueing counts retries and losses, and does not count a handover', async () => {
      const { id } = await enqueue();
      for (const reason of ['retry', 'loss', 'handover', 'loss'] as const) {
        assert.equal(await requeue(await claimOne(), 0, reason), true);
      }
      const { state, retries, losses, lease_until } = await row(id);
      assert.deepEqual(
        { state, retries, losses, lease_until },
        { state: 'queued', retries: 1, losses: 2, lease_until: null },
      );
    });

    test('a claim is lost once its job was requeued', async () => {
      const { id } = await enqueue();
      const claim = await claimOne();
      await requeue(claim, 0, 'loss');
      assert.notEqual((await row(id)).claim, claim.token);
      assert.equal(await requeue(claim, 0, 'loss'), false);
      await end(await claimOne());
    });

    test('finds the claims whose lease has ended, and no others', async () => {
      await enqueue();
      const claim = await claimOne();
      const mine = async (now: number) =>
        (await parts.queue.expired(now)).filter((expired) => expired.job.id === claim.job.id);
      assert.deepEqual(await mine(Date.now()), []);
      const [expired] = await mine(Date.now() + leaseMs + 1000);
      assert.equal(expired?.token, claim.token);
      await end(claim);
      assert.deepEqual(await mine(Number.MAX_SAFE_INTEGER), []);
    });

    test('notifies listeners of new jobs until they unsubscribe', async () => {
      let calls = 0;
      const unsubscribe = parts.queue.onEnqueued(() => {
        calls++;
      });
      await enqueue();
      await until(async () => calls > 0);
      unsubscribe();
      const before = calls;
      let others = 0;
      const unsubscribeOther = parts.queue.onEnqueued(() => {
        others++;
      });
      await enqueue();
      // Whoever is still subscribed is notified at the same time.
      await until(async () => others > 0);
      unsubscribeOther();
      assert.equal(calls, before);
    });
  });
}
