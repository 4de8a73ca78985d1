import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterRun } from './cluster.ts';

test('two API nodes and three workers, killed 6 times over 100 jobs with PostgreSQL once, lose none and charge each once', async () => {
  const report = await clusterRun({ kills: 6, databaseKills: 1, jobs: 100 });
  assert.deepEqual(report.violations, []);
  assert.equal(report.acknowledged + report.unanswered, 100);
});
