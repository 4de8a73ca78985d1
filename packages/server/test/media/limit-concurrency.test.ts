import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitByOwner } from '../../src/media/limit-concurrency.ts';

test('owners whose work waits take turns, and one has no more than its share at once', async () => {
  const limit = limitByOwner(2, 1);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string) =>
    limit(name[0]!, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string, work: Promise<void>) => {
    ends.get(name)!();
    await work;
  };
  const work = new Map(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => [name, add(name)]));
  assert.deepEqual(begun, ['a1', 'b1']);
  await end('b1', work.get('b1')!);
  assert.deepEqual(begun.slice(2), ['c1']);
  await end('c1', work.get('c1')!);
  assert.deepEqual(begun.slice(3), ['b2']);
  await end('a1', work.get('a1')!);
  await end('a2', work.get('a2')!);
  assert.deepEqual(begun.slice(4), ['a2', 'a3']);
  await Promise.all([end('a3', work.get('a3')!), end('b2', work.get('b2')!)]);

  const failed = limit('a', () => Promise.reject(new Error('broken')));
  await assert.rejects(failed, /broken/);
  assert.equal(await limit('a', async () => 'goes on'), 'goes on');
});
