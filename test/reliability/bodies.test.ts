import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzBodies } from './bodies.ts';

test('2,000 generated bodies: no answer is 5xx, every error has the one shape, the server stays healthy', async () => {
  const report = await fuzzBodies({ count: 2000, seed: 7 });
  assert.deepEqual(report.violations, []);
  assert.equal(report.sent, 2000);
  // They got past every check there is, and were stopped at each.
  assert.ok(report.answers[200]! > 20 && report.answers[201]! > 5, JSON.stringify(report.answers));
  for (const code of ['INVALID_JSON', 'VALIDATION_ERROR', 'FILTER_NOT_FOUND', 'INVALID_IMAGE']) {
    assert.ok(report.codes[code]! > 20, `${code}: ${report.codes[code]}`);
  }
});
