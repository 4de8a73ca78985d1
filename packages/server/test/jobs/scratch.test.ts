import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createScratch, withScratchFolder } from '../../src/jobs/scratch.ts';

const parent = mkdtempSync(join(tmpdir(), 'guise-scratch-'));
after(() => rmSync(parent, { recursive: true, force: true }));

test('each process has a folder of its own; what a process that is gone left is removed, what others use is not', () => {
  const left = join(parent, 'of-a-killed-process');
  mkdirSync(left);
  writeFileSync(join(left, 'photo-0'), 'a guest');
  const first = createScratch(parent);
  assert.equal(existsSync(left), false);
  writeFileSync(join(first.folder, 'photo-0'), 'a guest');
  const second = createScratch(parent);
  assert.notEqual(second.folder, first.folder);
  assert.equal(existsSync(join(first.folder, 'photo-0')), true);
  first.remove();
  second.remove();
  assert.deepEqual(readdirSync(parent), []);
});

test('what was made in a folder is not lost when the folder cannot be removed', async () => {
  const scratchDir = join(parent, 'blocked');
  mkdirSync(scratchDir);
  const made = await withScratchFolder(scratchDir, async () => {
    // A file in place of the folder above it.
    rmSync(scratchDir, { recursive: true });
    writeFileSync(scratchDir, '');
    return 'a picture';
  });
  assert.equal(made, 'a picture');
});
