import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHangUps } from '../../src/jobs/hang-ups.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

test('a caller that hung up once waits for four fifths of that time, for ten minutes', () => {
  let now = 0;
  const hangUps = createHangUps(() => now);
  assert.equal(hangUps.shorten('a', 20_000), 20_000);
  hangUps.note('a', 10_000);
  assert.deepEqual([hangUps.shorten('a', 20_000), hangUps.shorten('a', 5000)], [8000, 5000]);
  assert.equal(hangUps.shorten('b', 20_000), 20_000);
  now = 9 * minute;
  assert.equal(hangUps.shorten('a', 20_000), 8000);
  now = 11 * minute;
  assert.equal(hangUps.shorten('a', 20_000), 20_000);
});

test('one that hangs up after the same time again has a time limit, which is known for a day', () => {
  let now = 0;
  const hangUps = createHangUps(() => now);
  hangUps.note('a', 10_000);
  now = 11 * minute;
  hangUps.note('a', 10_150);
  now += day - minute;
  assert.equal(hangUps.shorten('a', 20_000), 8000);
  now += 2 * minute;
  assert.equal(hangUps.shorten('a', 20_000), 20_000);
  // Another time is an accident, or another client with the same key.
  hangUps.note('a', 15_000);
  assert.equal(hangUps.shorten('a', 20_000), 12_000);
  hangUps.note('a', 3000);
  assert.equal(hangUps.shorten('a', 20_000), 2400);
  now += 11 * minute;
  assert.equal(hangUps.shorten('a', 20_000), 20_000);
});

test('who leaves at once had no time limit, and only the latest callers are remembered', () => {
  const hangUps = createHangUps();
  hangUps.note('a', 300);
  assert.equal(hangUps.shorten('a', 20_000), 20_000);
  hangUps.note('first', 10_000);
  for (let i = 0; i < 10_000; i++) hangUps.note(`caller ${i}`, 10_000);
  assert.equal(hangUps.shorten('first', 20_000), 20_000);
  assert.equal(hangUps.shorten('caller 0', 20_000), 8000);
});
