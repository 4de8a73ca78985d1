import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEngine } from '@guise/engine/engine.ts';
import { findModelFile, importedModelsDir } from '@guise/engine/models/model-files.ts';
import { filesOfModel, iris, type ModelFile, models } from '@guise/engine/models/models.ts';
import { session } from '@guise/engine/models/sessions.ts';
import { packTar } from 'modern-tar';
import { exportModels, importModels } from '../../src/app/model-archive.ts';
import { AppError } from '../../src/errors.ts';

let folder: string;
let archive: string;
let exported: Awaited<ReturnType<typeof exportModels>>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-model-archive-'));
  archive = join(folder, 'models.tar');
  exported = await exportModels(join(folder, 'none'), archive);
});
after(() => rm(folder, { recursive: true, force: true }));

/** As if npm had not brought the package. */
const hide = (file: ModelFile): ModelFile => ({ ...file, package: 'no-such-package' });

test('the archive names every file of every model, with its licence and the package that carries it', () => {
  assert.deepEqual(
    exported.files.map(({ sha256 }) => sha256),
    models.flatMap(filesOfModel).map(({ sha256 }) => sha256),
  );
  for (const { name, licence, origin, bytes } of exported.files) {
    assert.ok(name && licence && origin && bytes > 0);
  }
  assert.equal(createHash('sha256').update(readFileSync(archive)).digest('hex'), exported.sha256);
});

test('the engine finds imported models where the packages that carry them are gone', async () => {
  const modelsDir = join(folder, 'imported-here');
  await assert.rejects(findModelFile(hide(iris.weights)), /guise models import/);
  const shown: number[] = [];
  const { imported, unused } = await importModels(modelsDir, archive, (_, done, total) =>
    shown.push(done / total),
  );
  assert.deepEqual([imported, unused], [models.map(({ title }) => title), []]);
  assert.equal(shown.at(-1), 1);
  assert.deepEqual(readdirSync(modelsDir), ['imported']);

  createEngine({ modelsDir });
  for (const file of models.flatMap(filesOfModel)) {
    assert.equal((await findModelFile(hide(file))).path, join(importedModelsDir(modelsDir), file.sha256));
  }
  const hidden = { ...iris, weights: hide(iris.weights), topology: hide(iris.topology!) };
  assert.ok((await session(hidden)).inputNames.length > 0);
});

const content = Buffer.from('weights');
const archivedFile = {
  name: 'Tiny',
  file: 'tiny.onnx',
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  licence: 'MIT',
  origin: 'https://example.com',
  package: 'tiny',
};

/** An archive with the manifest of one file, and the given entries. */
async function writeArchive(entries: Parameters<typeof packTar>[0], manifest?: unknown): Promise<string> {
  const body = JSON.stringify(manifest ?? { format: 1, files: [archivedFile] });
  const path = join(folder, 'written.tar');
  const head = { header: { name: 'manifest.json', size: Buffer.byteLength(body) }, body };
  await writeFile(path, await packTar([head, ...entries]));
  return path;
}

async function assertRefused(path: string, sentence: RegExp): Promise<void> {
  const modelsDir = join(folder, 'refused');
  await assert.rejects(importModels(modelsDir, path), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.match(error.message, sentence);
    return true;
  });
  assert.deepEqual(readdirSync(modelsDir), []);
}

const whole = (name: string, body: Buffer = content) => ({ header: { name, size: body.length }, body });
const named = `files/${archivedFile.sha256}`;

test('a file that this version does not use is left out', async () => {
  const modelsDir = join(folder, 'other-version');
  const result = await importModels(modelsDir, await writeArchive([whole(named)]));
  assert.deepEqual(result, { imported: [], unused: ['Tiny'] });
  assert.deepEqual(readdirSync(modelsDir), []);
});

test('an archive with an altered file is refused whole', async () => {
  const altered = Buffer.from(readFileSync(archive));
  // In the last file: all before it are in order.
  altered[altered.length - 10_000] = altered[altered.length - 10_000]! ^ 1;
  const path = join(folder, 'altered.tar');
  await writeFile(path, altered);
  await assertRefused(path, /of the archive is not the file that was published/);
});

test('an archive that is cut off, incomplete, empty or something else is refused', async () => {
  const path = join(folder, 'cut.tar');
  await writeFile(path, readFileSync(archive).subarray(0, 2_000_000));
  await assertRefused(path, /cut\.tar cannot be read: .* Nothing was imported\.$/);
  await assertRefused(await writeArchive([]), /does not hold tiny\.onnx of Tiny/);
  await writeFile(path, '');
  await assertRefused(path, /is no archive of models|cannot be read/);
  await writeFile(path, 'no archive at all, '.repeat(100));
  await assertRefused(path, /cannot be read/);
  await assertRefused(join(folder, 'nowhere.tar'), /cannot be read/);
  await assertRefused(
    await writeArchive([], { format: 2, files: [] }),
    /manifest that this version cannot read/,
  );
});

test('an entry that would lie outside of the folder is refused, and so is a link', async () => {
  const outside = await writeArchive([whole('../../outside'), whole(named)]);
  await assertRefused(outside, /holds \.\.\/\.\.\/outside, which its manifest does not name/);
  assert.ok(!existsSync(join(folder, '../outside')) && !existsSync(join(folder, 'outside')));
  const link = { header: { name: named, size: 0, type: 'symlink' as const, linkname: '/etc/passwd' } };
  await assertRefused(await writeArchive([link]), /which its manifest does not name/);
  const pathAsHash = { ...archivedFile, sha256: '../../outside' };
  await assertRefused(
    await writeArchive([whole('files/../../outside')], { format: 1, files: [pathAsHash] }),
    /manifest that this version cannot read/,
  );
});
