import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashRun } from './crash.ts';

test('a server killed 4 times over 40 jobs loses none, charges each once and shows one result of each', async () => {
  const report = await crashRun({ kills: 4, jobs: 40 });
  assert.deepEqual(report.violations, []);
  assert.equal(report.acknowledged + report.unanswered, 40);
  // The kills did hit work in progress.
  assert.ok(report.losses > 0);
});
