import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIdAt, newId } from '../../src/ids.ts';

test('ids sort in the order in which a process makes them, within a millisecond too, and none comes twice', () => {
  const now = Date.now();
  const ids = Array.from({ length: 3000 }, (_, i) => newId(now + Math.floor(i / 1000)));
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.ok(ids.every((id) => form.test(id)));
  assert.ok(firstIdAt(now + 1) > ids[999]! && firstIdAt(now + 1) < ids[1000]!);
});
