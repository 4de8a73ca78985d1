import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('an embedded installation loads neither the PostgreSQL client nor the S3 SDK', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-embedded-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = `
    import { createRequire } from 'node:module';
    import { startApp } from './src/app.ts';
    import { readConfig } from './src/config.ts';
    import { testEngine } from './test/engine.ts';
    const app = await startApp(readConfig(process.env), () => [testEngine()]);
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));
    await app.stop();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, PORT: '0', GUISE_DATA_DIR: folder, GUISE_LOG_LEVEL: 'silent' },
  });
  assert.match(stdout, /node_modules\/better-sqlite3\//);
  assert.deepEqual(stdout.match(/node_modules\/(pg|pg-boss|@aws-sdk|@smithy)\/.*/g), null);
});
