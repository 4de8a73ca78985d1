import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { detectFaces } from '@guise/engine/faces/face-detector.ts';
import { readModelFile } from '@guise/engine/models/model-files.ts';
import { blazeFace } from '@guise/engine/models/models.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import sharp from 'sharp';
import { inputSide, openFaceNet } from '../../../packages/booth/src/booth/faces/face-net.ts';
import {
  type FoundFace,
  findAllFaces,
  findNearFaces,
  type Tile,
} from '../../../packages/booth/src/booth/faces/find-faces.ts';
import { guidanceFor } from '../../../packages/booth/src/booth/faces/guidance.ts';

const folder = new URL('../../../packages/booth/src/booth/faces/', import.meta.url);
const photo = (name: string) => new URL(`../../../catalog/samples/${name}.jpg`, import.meta.url).pathname;
const layers = readFileSync(new URL('face-net.wasm', folder));

async function openNet() {
  const [weights, topology] = await Promise.all([blazeFace.weights, blazeFace.topology!].map(readModelFile));
  return openFaceNet({ layers, weights: Uint8Array.from(weights!).buffer, topology: String(topology) });
}

/** A photo as the page's worker reads it, without its canvas. */
async function readTiles(file: string) {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const read = ({ x, y, side }: Tile) => {
    const tile = new Uint8ClampedArray(4 * inputSide ** 2);
    for (let at = 0; at < inputSide ** 2; at++) {
      const column = Math.floor(x + (((at % inputSide) + 0.5) * side) / inputSide);
      const row = Math.floor(y + ((Math.floor(at / inputSide) + 0.5) * side) / inputSide);
      if (column < 0 || row < 0 || column >= info.width || row >= info.height) continue;
      const from = 4 * (row * info.width + column);
      tile.set(data.subarray(from, from + 4), 4 * at);
    }
    return tile;
  };
  return { size: { width: info.width, height: info.height }, read };
}

test('the layers were built from the source beside them', () => {
  const module = new WebAssembly.Module(layers);
  const [noted] = WebAssembly.Module.customSections(module, 'source-sha256');
  const source = readFileSync(new URL('face-net.c', folder));
  assert.equal(
    Buffer.from(noted!).toString(),
    createHash('sha256').update(source).digest('hex'),
    'face-net.c has changed since face-net.wasm was built: npm run kernels',
  );
});

test('the booth finds the faces that the engine finds, at the same places', async () => {
  const net = await openNet();
  for (const name of ['astronaut', 'two-people']) {
    const { size, read } = await readTiles(photo(name));
    const picture = await readPhoto(photo(name), Math.max(size.width, size.height));
    const expected = await detectFaces(picture, { search: 'near' });
    for (const find of [findNearFaces, findAllFaces]) {
      const found = find(net, size, read);
      assert.equal(found.length, expected.length, name);
      for (const { center, size: faceSize } of expected) {
        const away = ({ x, y }: FoundFace) =>
          Math.hypot(x * size.width - center.x, y * size.height - center.y) / faceSize;
        assert.ok(
          found.some((face) => away(face) < 0.12),
          `${name}: ${JSON.stringify(found)}`,
        );
      }
    }
  }
});

test('guidance names one thing to mend, by the guest’s own left and right', () => {
  const view = { width: 640, height: 480 };
  const face = { x: 0.5, y: 0.4, width: 0.2, height: 0.27, score: 0.9 };
  const say = (faces: FoundFace[], { isDark = false, isGroup = false } = {}) =>
    guidanceFor({ faces, isDark }, view, isGroup);
  assert.equal(say([face]), 'ready');
  assert.equal(say([]), 'comeIn');
  assert.equal(say([face], { isDark: true }), 'dark');
  assert.equal(say([{ ...face, width: 0.05, height: 0.07 }]), 'closer');
  assert.equal(say([{ ...face, width: 0.05, height: 0.07 }], { isGroup: true }), 'ready');
  assert.equal(say([{ ...face, width: 0.5, height: 0.67 }]), 'back');
  assert.equal(say([{ ...face, y: 0.1 }]), 'back', 'the head is cut above');
  assert.equal(say([{ ...face, x: 0.2 }]), 'left', 'the camera sees the guest’s right on its left');
  assert.equal(say([{ ...face, x: 0.95 }]), 'right');
  assert.equal(
    say([
      { ...face, x: 0.3 },
      { ...face, x: 0.95 },
    ]),
    'together',
  );
  assert.equal(
    say([
      { ...face, x: 0.3 },
      { ...face, x: 0.7 },
    ]),
    'ready',
  );
  assert.equal(say([face, { ...face, x: 0.01, width: 0.05, height: 0.07 }]), 'ready', 'somebody walks by');
});
