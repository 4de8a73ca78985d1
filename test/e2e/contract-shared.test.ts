import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openStorage } from '@guise/server/app/storage.ts';
import { temporaryConfig } from '../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../packages/server/test/support/postgres-server.ts';
import { startS3 } from '../../packages/server/test/support/s3.ts';
import type { Shared } from '../../packages/server/test/support/shared-place.ts';

/** Those that ask the most of records, queue and files. `npm run test:shared` runs all of them. */
const inShort = ['events.test.ts', 'jobs.test.ts', 'walls.test.ts'];
const isWhole = process.env.GUISE_TEST_WHOLE === '1';

test('the contract suite is green on PostgreSQL, pg-boss and S3', { timeout: 900_000 }, async (t) => {
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  t.after(() => Promise.all([postgres.stop(), s3.stop()]));
  const config = temporaryConfig({ databaseUrl: await postgres.database() });
  await (await openStorage(config)).close();
  rmSync(config.dataDir, { recursive: true });

  const shared: Shared = { template: config.databaseUrl, s3: s3.place() };
  const folder = join(import.meta.dirname, '../../packages/server/test/contract');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => (isWhole ? name.endsWith('.test.ts') : inShort.includes(name)))
    .map((name) => join(folder, name));
  // Else the inner runner would report to the outer one as a test file does.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../run-tests.ts'), ...files], {
    env: { ...env, GUISE_TEST_SHARED: JSON.stringify(shared) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0, said);
  assert.match(said, /ℹ pass \d{2,}/);
});
