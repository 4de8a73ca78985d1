import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginFailures } from '../../src/accounts/login-failures.ts';

const minuteMs = 60_000;
const gallery = { email: 'gallery 1', address: '198.51.100.1' };
const isRefused = (failures: LoginFailures, attempt = gallery) => {
  try {
    failures.check(attempt);
    return false;
  } catch {
    return true;
  }
};

test('who has failed too often tries again after 15 minutes', () => {
  let now = 0;
  const failures = new LoginFailures(30, { now: () => now });
  for (let at = 0; at < 30; at++) failures.record(gallery);
  assert.ok(isRefused(failures));
  now = 15 * minuteMs - 1;
  assert.ok(isRefused(failures));
  now = 15 * minuteMs;
  assert.ok(!isRefused(failures));
});

test('30 wrong passwords of a gallery lock out nobody at their address: one may be tried every 5 seconds', () => {
  let now = 0;
  const failures = new LoginFailures(30, { thenEveryMs: 5000, now: () => now });
  for (let at = 0; at < 30; at++) {
    assert.ok(!isRefused(failures));
    failures.record(gallery);
  }
  assert.throws(() => failures.check(gallery), { code: 'RATE_LIMITED', message: /Retry after 5 s/ });
  // Those of other galleries go on, and so does the same one elsewhere.
  for (const other of [
    { ...gallery, email: 'gallery 2' },
    { ...gallery, address: '198.51.100.2' },
  ])
    assert.ok(!isRefused(failures, other));
  let tried = 0;
  for (; now < 15 * minuteMs; now += 1000) {
    if (isRefused(failures)) continue;
    failures.record(gallery);
    tried++;
  }
  assert.equal(tried, 179);
});
