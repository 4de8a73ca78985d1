import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { checkTemplate } from '@guise/engine/template-check.ts';
import sharp from 'sharp';
import { cutFace, layIntoFrame } from '../../../src/engines/decoding/child/face-photos.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { comfyuiPlan, directRun, pictureWorkflow, remoteEngines } from '../../support/remote.ts';
import { testEngine } from '../../support/test-engine.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-faces-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, bytes: Buffer) => {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
};

describe('the face of a guest', () => {
  let leaning: string;
  let found: TemplateCheck['faces'][number];
  before(async () => {
    leaning = await write('leaning.jpg', await sharp(samplePhotos.onePerson).rotate(18).jpeg().toBuffer());
    const { faces } = await checkTemplate(leaning);
    found = faces[0]!;
  });

  test('is cut out upright, in the middle of a square, with hair and neck', async () => {
    assert.ok(Math.abs(found.lean - 18) < 8, `${found.lean}`);
    const { bytes, width, height } = await cutFace({ file: leaning, face: found });
    const { faces } = await checkTemplate(await write('face.jpg', bytes));
    const face = faces[0]!;
    assert.equal(width, height);
    assert.ok(Math.abs(face.lean) < 4, `${face.lean}`);
    assert.ok(face.height > 0.35 * height && face.height < 0.55 * height, `${face.height} of ${height}`);
    assert.ok(Math.abs(face.x + face.width / 2 - width / 2) < 0.08 * width);
  });

  test('is where and as large as a portrait has it, in the shape of the result, however far away it was', async () => {
    const far = await sharp(leaning)
      .resize({ width: 500 })
      .extend({ left: 900, right: 100, top: 500, bottom: 100, background: '#204060' })
      .jpeg()
      .toBuffer();
    const file = await write('far.jpg', far);
    const small = (await checkTemplate(file)).faces[0]!;
    const frame = { width: 832, height: 1248 };
    const laid = await layIntoFrame({ file, face: small, frame });
    const { faces, ...size } = await checkTemplate(await write('frame.jpg', laid.bytes));
    const face = faces[0]!;
    assert.deepEqual([size.width, size.height], [832, 1248]);
    assert.ok(face.height > 0.14 * 1248 && face.height < 0.33 * 1248, `${face.height}`);
    const middle = { x: (face.x + face.width / 2) / 832, y: (face.y + face.height / 2) / 1248 };
    assert.ok(middle.x > 0.3 && middle.x < 0.7 && middle.y > 0.24 && middle.y < 0.48, JSON.stringify(middle));
  });
});

describe('a workflow that wants the face', () => {
  let gpu: ComfyuiServer;
  before(async () => {
    gpu = await comfyuiServer();
  });
  after(() => gpu.stop());

  function enginesThatFind(faces: TemplateCheck['faces']) {
    const definition = pictureWorkflow();
    definition.workflow['10'] = { class_type: 'LoadImage', inputs: { image: 'example.png' } };
    definition.workflow['11'] = {
      class_type: 'ImageBatch',
      inputs: { image1: ['2', 0], image2: ['10', 0] },
    };
    definition.workflow['5']!.inputs.image = ['11', 0];
    definition.bindings.face = [{ node: '2', input: 'image' }];
    definition.bindings.frame = [{ node: '10', input: 'image' }];
    const plan = { ...comfyuiPlan([gpu], { workflows: [definition] }), local: true };
    const finder = {
      ...testEngine(),
      checkTemplate: async () => ({ width: 0, height: 0, faces, warnings: [] }),
    };
    return remoteEngines(plan, { createLocal: () => finder });
  }

  test('is sent the straightened face and the photo in the frame of the result', async () => {
    const photo = await readFile(samplePhotos.onePerson);
    const face = { x: 300, y: 200, width: 150, height: 200, lean: 5, warnings: [] };
    const engines = enginesThatFind([face]);
    const run = await directRun(photo);
    await engines[1]!.run(run.request, run.context);
    const graph = gpu.graphs.get(gpu.accepted.at(-1)!)!;
    const sizeOf = async (node: string) => {
      const { width, height } = await sharp(gpu.uploads.get(String(graph[node]!.inputs!.image))!).metadata();
      return [width, height];
    };
    assert.deepEqual(await sizeOf('2'), [440, 440]);
    const { width, height } = graph['5']!.inputs as { width: number; height: number };
    assert.deepEqual(await sizeOf('10'), [width, height]);
    await Promise.all([run.clean(), ...engines.map((engine) => engine.close())]);
  });

  test('is sent nothing when there is none, and the guest is told so', async () => {
    const engines = enginesThatFind([]);
    const run = await directRun(await readFile(samplePhotos.onePerson));
    const before = gpu.requests.filter(({ method }) => method === 'POST').length;
    await assert.rejects(engines[1]!.run(run.request, run.context), /No face was found in the photo/);
    assert.equal(gpu.requests.filter(({ method }) => method === 'POST').length, before);
    await Promise.all([run.clean(), ...engines.map((engine) => engine.close())]);
  });
});
