import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from './soak.ts';

test('twenty seconds of work, attacks, kills, a full disk, a stopped engine and a clock that jumps loses nothing', async () => {
  const report = await soak({ minutes: 1 / 3, clients: 1 });
  assert.deepEqual(report.violations, []);
  assert.ok(report.jobs > 0, 'no job was submitted');
  assert.ok(report.faults.kill > 0 && report.faults.stoppedEngine > 0 && report.faults.fullDisk > 0);
});
