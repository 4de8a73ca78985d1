import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eveningRun } from './evening.ts';
import { startEmbedded } from './evening-servers.ts';

test('an evening of 40 guests at two booths, with the server away for an hour, loses no photo and no credit, and is erased', async () => {
  const server = await startEmbedded('5-20');
  try {
    const report = await eveningRun({ guests: 40, seconds: 4 }, server);
    assert.deepEqual(report.violations, []);
    // The evening was one: the server was away for some, the budget was too small, and answers were lost.
    assert.ok(report.offline > 0 && report.unpaid > 0 && report.resent > 0, JSON.stringify(report));
    assert.equal(report.spent, report.budget);
  } finally {
    await server.stop();
  }
});
