import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFleet } from './fleet.ts';

// The long form: npm run test:fleet
test('jobs over three servers, two of which are killed and restarted, all complete, and only lost ones run again', async () => {
  const timeLimits = { missingAfterOutageMs: 500, silentPollMs: 150, healthMs: 300 };
  const result = await runFleet({ jobs: 30, kills: 4, nodeMs: 8, timeLimits });
  assert.deepEqual([result.completed, result.errors, result.twice, result.credits], [30, [], 0, 0]);
  assert.equal(result.kills, 4);
  assert.ok(result.lost > 0, 'no kill hit anything');
});

test('jobs that fail on one server complete on the others, which are given no more than they can take', async () => {
  const raise = { type: 'RuntimeError', message: 'shape mismatch in a node of this machine' };
  const result = await runFleet({ jobs: 12, kills: 0, nodeMs: 8, raise });
  assert.deepEqual([result.completed, result.errors, result.credits], [12, [], 0]);
  // The server that fails is found out after three jobs, beside those that it had then already.
  assert.ok(result.perServer[2]! <= 6, result.perServer.join());
});
