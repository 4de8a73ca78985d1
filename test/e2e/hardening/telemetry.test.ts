import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { filesBelow } from '../../../packages/server/test/support/harness.ts';

const root = join(import.meta.dirname, '../../..');
const onlyImporter = 'packages/engine/src/models/onnxruntime.ts';

test('code, tests, tools and benches load onnxruntime through the one module that turns telemetry off', () => {
  const importers = ['packages', 'tools', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .filter((file) =>
        /(from|import\(|require\() ?'onnxruntime/.test(readFileSync(join(root, file), 'utf8')),
      ),
  );
  assert.deepEqual(importers, [onlyImporter]);
});

test('a process that loads a model leaves nothing in the cache folder and the temporary one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-telemetry-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const load = `
    const { session } = await import('@guise/engine/models/sessions.ts');
    const { blazeFace } = await import('@guise/engine/models/models.ts');
    await session(blazeFace);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', load], {
    cwd: join(root, 'packages/server'),
    env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: folder, TMPDIR: folder },
  });
  assert.deepEqual(filesBelow(folder), []);
});
