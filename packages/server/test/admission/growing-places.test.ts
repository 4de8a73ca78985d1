import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import fc from 'fast-check';
import { createAdmission } from '../../src/admission/admission.ts';

const kb = 1024;
const budget = (waitMs?: number) =>
  createAdmission({ descriptors: 1024, bodyBytes: 1000 * kb, ...(waitMs && { bodyWaitMs: waitMs }) }).bodies;

/** Whether a body may go on at once; afterwards it waits or not. */
async function isHeld(taken: Promise<void> | undefined): Promise<boolean> {
  if (!taken) return false;
  taken.catch(() => {});
  let held = true;
  void taken.then(
    () => {
      held = false;
    },
    () => {},
  );
  await nextIteration();
  return held;
}

test('beyond the budget younger bodies wait, and go on when an older one is done', async () => {
  const all = budget();
  const [oldest, second, third] = ['a', 'b', 'c'].map((account) => all.open(account));
  assert.equal(oldest!.take(400 * kb), undefined);
  assert.equal(second!.take(400 * kb), undefined);
  const waiting = third!.take(400 * kb);
  assert.ok(await isHeld(waiting));
  assert.equal(oldest!.take(300 * kb), undefined, 'the oldest body always goes on');
  assert.ok(await isHeld(second!.take(1)));
  oldest!.release();
  await waiting;
});

test('a body that finds no room in time is refused with 503 and Retry-After', async () => {
  const all = budget(20);
  all.open('a').take(1001 * kb);
  await assert.rejects(async () => all.open('b').take(100 * kb), {
    code: 'OVERLOADED',
    headers: { 'retry-after': '5' },
  });
});

test('small bodies never wait', () => {
  const all = budget();
  all.open('a').take(2000 * kb);
  assert.equal(all.open('b').take(64 * kb), undefined);
});

test('one account cannot keep the budget from the others', async () => {
  const all = budget();
  const [first, second] = [all.open('greedy'), all.open('greedy')];
  assert.equal(first.take(300 * kb), undefined);
  assert.equal(second.take(200 * kb), undefined);
  assert.ok(await isHeld(second.take(1)));
  assert.ok(await isHeld(all.open('greedy').take(100 * kb)));
  const other = all.open('other');
  assert.equal(other.take(250 * kb), undefined);
});

test('a body that is closed while it waits is told so at once', async () => {
  const all = budget();
  all.open('a').take(1001 * kb);
  const waiting = all.open('b');
  const taken = waiting.take(100 * kb);
  waiting.release();
  await assert.rejects(async () => taken, { code: 'OVERLOADED' });
});

test('whatever bodies come, all get through as long as those that may go on do', async () => {
  const bodies = fc.array(
    fc.record({ account: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 900 }) }),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (wanted) => {
      const all = budget();
      await Promise.all(
        wanted.map(async ({ account, bytes }) => {
          const share = all.open(account);
          for (let left = bytes; left > 0; left -= 50) {
            await share.take(Math.min(left, 50) * kb);
            await nextIteration();
          }
          share.release();
        }),
      );
      // All of it is there again.
      assert.equal(all.open('d').take(500 * kb), undefined);
    }),
    { numRuns: 100 },
  );
});
