import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Gate, type GateLimits } from '../../src/admission/gate.ts';

const refusal = () => new Error('too many');
const gateOf = (limits: Partial<GateLimits>) =>
  new Gate(
    { atOnce: 1, atOnceOfOwner: 1, waiting: 100, waitingOfOwner: 100, waitMs: 60_000, ...limits },
    refusal,
  );

/** Work of owners named by their first letter, and of parts of them by their first two, that ends when it is told. */
function worksOn(gate: Gate, partOf: (name: string) => string | undefined = () => undefined) {
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const works = new Map<string, Promise<void>>();
  return {
    begun,
    refused,
    add(name: string, signal?: AbortSignal) {
      const part = partOf(name);
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      };
      const options = { ...(part && { part }), ...(signal && { signal }) };
      works.set(
        name,
        gate.run(name[0]!, work, options).catch(() => void refused.push(name)),
      );
    },
    async end(name: string) {
      ends.get(name)!();
      await works.get(name);
      await nextIteration();
    },
    settled: (name: string) => works.get(name),
  };
}

test('owners whose work waits take turns, and one has no more than its share at once', async () => {
  const gate = gateOf({ atOnce: 2 });
  const { begun, add, end } = worksOn(gate);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name);
  await nextIteration();
  assert.deepEqual(begun, ['a1', 'b1']);
  await end('b1');
  assert.deepEqual(begun.slice(2), ['c1']);
  await end('c1');
  assert.deepEqual(begun.slice(3), ['b2']);
  await end('a1');
  await end('a2');
  assert.deepEqual(begun.slice(4), ['a2', 'a3']);
  await end('a3');
  await end('b2');
  await assert.rejects(
    gate.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await gate.run('a', async () => 'goes on'), 'goes on');
});

test('keys of an account take turns within its turns', async () => {
  const { begun, add, end } = worksOn(gateOf({}), (name) => name.slice(0, 2));
  for (const name of ['ax1', 'ax2', 'ax3', 'ay1', 'b1']) add(name);
  for (const name of ['ax1', 'b1', 'ay1', 'ax2', 'ax3']) {
    await nextIteration();
    assert.equal(begun.at(-1), name);
    await end(name);
  }
});

test('where too many wait, the newest of whoever has most of them is refused', async () => {
  const { begun, refused, add, end, settled } = worksOn(gateOf({ waiting: 3 }));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) add(name);
  await settled('a4');
  assert.deepEqual(refused, ['a4']);
  add('b2');
  await settled('b2');
  assert.deepEqual(refused, ['a4', 'b2'], 'who waits is not refused for another who has as many');
  for (const name of ['a1', 'b1', 'a2', 'a3']) {
    assert.equal(begun.at(-1), name);
    await end(name);
  }
});

test('what finds no place in time, or is not wanted any more, is left out', async () => {
  const gate = gateOf({ waitMs: 20 });
  const { begun, refused, add, end, settled } = worksOn(gate);
  const gone = new AbortController();
  for (const name of ['a1', 'b1']) add(name);
  add('c1', gone.signal);
  gone.abort();
  await settled('c1');
  await settled('b1');
  assert.deepEqual(refused, ['c1', 'b1']);
  await end('a1');
  assert.deepEqual(begun, ['a1']);
  const { waitedSeconds, ...counts } = gate.counts;
  assert.deepEqual(counts, { running: 0, waiting: 0, refused: 1 }, 'who hung up was not refused');
  assert.ok(waitedSeconds > 0.015, `${waitedSeconds} s`);
});

test('who has something and who waits is told, those first who wait', async () => {
  const gate = gateOf({ atOnce: 3, atOnceOfOwner: 2 });
  const { add, end } = worksOn(gate);
  for (const name of ['b1', 'a1', 'a2', 'a3']) add(name);
  await nextIteration();
  assert.deepEqual(gate.users, [
    { owner: 'a', running: 2, waiting: 1 },
    { owner: 'b', running: 1, waiting: 0 },
  ]);
  for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name);
});
