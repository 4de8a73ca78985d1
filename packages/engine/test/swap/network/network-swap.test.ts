import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { likeness } from '../../../quality/likeness.ts';
import type { Face } from '../../../src/faces/face.ts';
import { findFaces } from '../../../src/faces/faces.ts';
import { readPhoto } from '../../../src/pixels/photo.ts';
import { mapPlanes, type Picture } from '../../../src/pixels/picture.ts';
import { RenderError } from '../../../src/runtime/render-error.ts';
import { visibleFace } from '../../../src/swap/mesh/occlusion.ts';
import { boxMask } from '../../../src/swap/network/box-mask.ts';
import {
  arcface112v2,
  arcface128,
  cropSimilarity,
  cropThrough,
  fivePoints,
} from '../../../src/swap/network/five-points.ts';
import { latentOf } from '../../../src/swap/network/latent.ts';
import { readLatentMatrix, readMatrixFile } from '../../../src/swap/network/latent-matrix.ts';
import { checkModel, loadNeuralSwap } from '../../../src/swap/network/network-swap.ts';
import type { Store } from '../../support/onnx-initializer.ts';
import { shiftMatrix, tinyEmbedder, tinySwapper } from './tiny-networks.ts';

let folder: string;
let photo: Picture;
let faces: Face[];

async function saved(name: string, content: Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neural-'));
  photo = await readPhoto('node_modules/@vladmandic/face-api/demo/sample6.jpg', 1280);
  faces = await findFaces(photo, { traits: false });
  assert.equal(faces.length, 4);
});

after(() => rm(folder, { recursive: true }));

async function complaint(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.fail('was taken'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RenderError && error.code === 'MODEL_UNUSABLE', String(error));
  return error.message;
}

describe('readLatentMatrix', () => {
  const stores: Store[] = ['float_data', 'raw_data', 'fp16', 'fp16 in int32_data'];
  for (const store of stores) {
    it(`reads the matrix that the runtime drops, kept as ${store}`, async () => {
      const file = await saved('stores.onnx', tinySwapper({ matrix: { store } }));
      assert.deepEqual(await readLatentMatrix(file), shiftMatrix());
    });
  }

  it('finds none in a graph that lost it', async () => {
    assert.equal(await readLatentMatrix(await saved('lost.onnx', tinySwapper({ matrix: null }))), null);
  });

  it('refuses one of another size', async () => {
    const file = await saved('small.onnx', tinySwapper({ matrix: { store: 'raw_data', rows: 256 } }));
    assert.match(
      await complaint(readLatentMatrix(file)),
      /small\.onnx holds a matrix of 256×512 where 512×512/,
    );
  });

  it('refuses weights in another file', async () => {
    const file = await saved('external.onnx', tinySwapper({ matrix: { store: 'external' } }));
    assert.match(await complaint(readLatentMatrix(file)), /external\.onnx keeps weights in another file/);
  });

  it('refuses a file that was cut off, wherever', async () => {
    const whole = tinySwapper();
    for (const share of [0.001, 0.3, 0.9, 0.99999]) {
      const file = await saved('cut.onnx', whole.subarray(0, Math.floor(share * whole.length)));
      assert.match(await complaint(readLatentMatrix(file)), /cut\.onnx is cut off/);
    }
  });

  it('refuses what is no model and what is not there', async () => {
    const text = await saved('text.onnx', Buffer.from('<html>Sign in to download</html>'));
    assert.match(await complaint(readLatentMatrix(text)), /no ONNX model|not an ONNX model/);
    assert.match(await complaint(readLatentMatrix(join(folder, 'gone.onnx'))), /gone\.onnx cannot be read/);
  });
});

describe('readMatrixFile', () => {
  it('reads 512×512 floats', async () => {
    const file = await saved('matrix.bin', Buffer.from(shiftMatrix().buffer));
    assert.deepEqual(await readMatrixFile(file), shiftMatrix());
  });

  it('refuses another size, and values that are no numbers', async () => {
    assert.match(
      await complaint(readMatrixFile(await saved('short.bin', Buffer.alloc(1000)))),
      /has 1000 bytes/,
    );
    const holes = shiftMatrix().fill(Number.NaN, 7, 8);
    const file = await saved('holes.bin', Buffer.from(holes.buffer));
    assert.match(await complaint(readMatrixFile(file)), /no numbers/);
  });
});

describe('latentOf', () => {
  it('is the unit embedding as a row times the matrix, at unit length', () => {
    const embedding = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i + 1) * 9);
    const length = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0));
    const latent = latentOf(embedding, shiftMatrix())!;
    for (let j = 0; j < 512; j++)
      assert.ok(Math.abs(latent[j]! - embedding[(j + 511) % 512]! / length) < 1e-6);
  });

  it('is nothing for an embedding without length', () => {
    assert.equal(latentOf(new Float32Array(512), shiftMatrix()), null);
  });
});

describe('cropSimilarity', () => {
  it('brings the five points of upright faces near their places', () => {
    for (const [template, side] of [
      [arcface112v2, 112],
      [arcface128, 128],
    ] as const) {
      const { a, b, x0, y0 } = cropSimilarity(faces[0]!, template, side);
      const far = template.map(([u, v], i) => {
        const point = fivePoints(faces[0]!)[i]!;
        return Math.hypot(
          a * u * side - b * v * side + x0 - point.x,
          b * u * side + a * v * side + y0 - point.y,
        );
      });
      assert.ok(Math.max(...far) < 0.09 * faces[0]!.height, far.join(' '));
    }
  });

  it('shows faces upright and in one size', () => {
    const crops = faces.map((face) => cropThrough(photo, cropSimilarity(face, arcface128, 128), 128));
    for (const crop of crops) {
      // Both eyes are darker than the cheeks below them.
      const mean = (u: number, v: number) => {
        let sum = 0;
        for (let y = -4; y <= 4; y++) {
          for (let x = -4; x <= 4; x++)
            sum += crop[1][(Math.round(v * 128) + y) * 128 + Math.round(u * 128) + x]!;
        }
        return sum / 81;
      };
      assert.ok(mean(0.362, 0.404) < 0.9 * mean(0.36, 0.56));
      assert.ok(mean(0.637, 0.402) < 0.9 * mean(0.64, 0.56));
    }
  });
});

describe('boxMask', () => {
  it('is one in the middle, fades to nothing at the border, and is the same from every side', () => {
    const mask = boxMask(128);
    assert.ok(Math.abs(mask[64 * 128 + 64]! - 1) < 1e-6);
    for (let i = 0; i < 128; i++) {
      assert.ok(mask[i]! < 0.04 && mask[i * 128]! < 0.04);
      assert.ok(Math.abs(mask[64 * 128 + i]! - mask[64 * 128 + 127 - i]!) < 1e-6);
      assert.ok(Math.abs(mask[64 * 128 + i]! - mask[i * 128 + 64]!) < 1e-6);
    }
    // Half way up at the zero border: 128 · 0.5 · 0.3 = 19, half of it is 9.
    assert.ok(mask[64 * 128 + 8]! < 0.5 && mask[64 * 128 + 9]! > 0.5);
  });
});

describe('visibleFace', () => {
  it('keeps a green patch over the forehead in front, and leaves the face open', () => {
    const face = faces[0]!;
    const planes = mapPlanes(photo.planes, (plane) => plane.slice());
    const [x, y] = [Math.round(face.points[151 * 3]!), Math.round(face.points[151 * 3 + 1]!)];
    const reach = Math.round(0.07 * face.height);
    for (let dy = -reach; dy <= reach; dy++) {
      planes.forEach((plane, p) => {
        const from = (y + dy) * photo.width + x - reach;
        plane.fill(p === 1 ? 0.8 : 0.1, from, from + 2 * reach + 1);
      });
    }
    const visible = visibleFace({ ...photo, planes }, face);
    assert.ok(visible[y * photo.width + x]! < 0.2, `patch ${visible[y * photo.width + x]}`);
    const other = Math.round(face.points[425 * 3 + 1]!) * photo.width + Math.round(face.points[425 * 3]!);
    assert.ok(visible[other]! > 0.9, `cheek ${visible[other]}`);
  });
});

describe('loadNeuralSwap', () => {
  const load = async (swap: Buffer, embed = tinyEmbedder(), matrix?: Buffer) =>
    loadNeuralSwap({
      swap: await saved('swap.onnx', swap),
      embed: await saved('embed.onnx', embed),
      ...(matrix ? { matrix: await saved('matrix.bin', matrix) } : {}),
    });

  for (const boost of [1, 2]) {
    it(`gives the template back through a model that changes nothing, boost ${boost}`, async () => {
      const neural = await load(tinySwapper({ tint: 0 }));
      const face = faces[3]!;
      const result = await neural.swap(photo, face, photo, faces[0]!, { boost });
      await neural.close();
      const noise = signalToNoise(result, photo, face);
      assert.ok(noise >= (boost === 1 ? 33 : 36), `${noise.toFixed(1)} dB`);
      const alike = await likeness(photo, face, result, face);
      assert.ok(alike >= 0.99, `SFace ${alike.toFixed(3)}`);
      assert.notDeepEqual(result.planes, photo.planes);
    });
  }

  describe('through a model that tints', () => {
    let plain: Picture;
    before(async () => {
      const neural = await load(tinySwapper({ tint: 0 }));
      plain = await neural.swap(photo, faces[2]!, photo, faces[0]!);
      await neural.close();
    });

    for (const store of ['float_data', 'raw_data', 'fp16'] as Store[]) {
      it(`tints the face by what the embedder and the matrix (${store}) give, and nothing else`, async () => {
        const neural = await load(tinySwapper({ tint: 4, matrix: { store } }));
        const face = faces[2]!;
        const result = await neural.swap(photo, face, photo, faces[0]!);
        await neural.close();
        // What the tiny embedder makes of the source, worked out here: means of 7×7 squares of the 112 crop.
        const embedding = pooled(photo, faces[0]!);
        const length = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0));
        const wanted = [511, 0, 1].map((i) => (4 * embedding[i]!) / length);
        const at = Math.round(face.points[5 * 3 + 1]!) * photo.width + Math.round(face.points[5 * 3]!);
        wanted.forEach((tint, p) => {
          const expected = Math.min(1, Math.max(0, plain.planes[p]![at]! + tint));
          assert.ok(
            Math.abs(result.planes[p]![at]! - expected) < 0.02,
            `${p}: ${result.planes[p]![at]} ${expected}`,
          );
        });
        assert.equal(result.planes[0][0], photo.planes[0][0]);
        for (const other of [faces[0]!, faces[3]!]) {
          const nose = Math.round(other.points[5 * 3 + 1]!) * photo.width + Math.round(other.points[5 * 3]!);
          assert.equal(result.planes[0][nose], photo.planes[0][nose]);
        }
      });
    }
  });

  it('takes the matrix from a file of its own', async () => {
    const neural = await load(
      tinySwapper({ matrix: null }),
      tinyEmbedder(),
      Buffer.from(shiftMatrix().buffer),
    );
    const result = await neural.swap(photo, faces[2]!, photo, faces[0]!);
    await neural.close();
    const whole = await load(tinySwapper());
    const wanted = await whole.swap(photo, faces[2]!, photo, faces[0]!);
    await whole.close();
    assert.deepEqual(result.planes, wanted.planes);
  });

  it('asks for the matrix where there is none', async () => {
    assert.match(
      await complaint(load(tinySwapper({ matrix: null }))),
      /swap\.onnx does not hold its matrix buff2fs/,
    );
  });

  it('says of a model of another kind what it takes and what is needed', async () => {
    assert.match(
      await complaint(load(tinySwapper({ side: 256 }))),
      /swap\.onnx takes .*target \[1, 3, 256, 256\].*a swap model takes target \[1, 3, 128, 128\]/,
    );
    assert.match(await complaint(load(tinySwapper({ inputs: ['image', 'latent'] }))), /takes latent .*image/);
    assert.match(
      await complaint(load(tinySwapper(), tinySwapper())),
      /embed\.onnx takes .*an embedder takes one input/,
    );
  });

  it('blames an embedder that gives an empty embedding', async () => {
    const neural = await load(tinySwapper(), tinyEmbedder({ gain: 0 }));
    const swap = neural.swap(photo, faces[2]!, photo, faces[0]!);
    assert.match(await complaint(swap), /embed\.onnx gives an empty embedding/);
    await neural.close();
  });

  it('stops when it is told to', async () => {
    const neural = await load(tinySwapper());
    const swap = neural.swap(photo, faces[2]!, photo, faces[0]!, { signal: AbortSignal.abort() });
    await assert.rejects(swap, { name: 'AbortError' });
    await neural.close();
  });
});

describe('checkModel', () => {
  it('takes each kind of file and tells whether a matrix is missing', async () => {
    const swap = tinySwapper();
    const file = await saved('good.onnx', swap);
    assert.deepEqual(await checkModel('swap', file), {
      kind: 'swap',
      bytes: swap.length,
      needsMatrix: false,
    });
    const lost = await saved('lost.onnx', tinySwapper({ matrix: null }));
    assert.equal((await checkModel('swap', lost)).needsMatrix, true);
    assert.equal((await checkModel('embed', await saved('e.onnx', tinyEmbedder()))).needsMatrix, false);
    const matrix = await saved('m.bin', Buffer.from(shiftMatrix().buffer));
    assert.equal((await checkModel('matrix', matrix)).bytes, 2 ** 20);
  });

  it('refuses a file of the wrong kind and one that was cut off', async () => {
    const embedder = tinyEmbedder();
    const file = await saved('e.onnx', embedder);
    assert.match(await complaint(checkModel('swap', file)), /e\.onnx takes input\.1/);
    const cut = await saved('e.onnx', embedder.subarray(0, embedder.length - 9));
    assert.match(await complaint(checkModel('embed', cut)), /e\.onnx is cut off/);
    assert.match(
      await complaint(checkModel('embed', await saved('c.onnx', tinyEmbedder({ channels: 4 })))),
      /112/,
    );
  });
});

/** The tiny embedder by hand. */
function pooled(picture: Picture, face: Face): Float32Array {
  const crop = cropThrough(picture, cropSimilarity(face, arcface112v2, 112), 112);
  return Float32Array.from({ length: 512 }, (_, i) => {
    const [plane, cell] = [crop[Math.floor(i / 256)]!, i % 256];
    let sum = 0;
    for (let k = 0; k < 49; k++) {
      sum += plane[((cell >> 4) * 7 + Math.floor(k / 7)) * 112 + (cell % 16) * 7 + (k % 7)]! * 2 - 1;
    }
    return sum / 49;
  });
}

/** Peak signal to noise over the square around a face that was pasted back. */
function signalToNoise(result: Picture, original: Picture, face: Face): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.round(face.center.y - 0.6 * face.height); y < face.center.y + 0.6 * face.height; y++) {
    for (let x = Math.round(face.center.x - 0.5 * face.height); x < face.center.x + 0.5 * face.height; x++) {
      for (let p = 0; p < 3; p++) {
        sum +=
          (result.planes[p]![y * original.width + x]! - original.planes[p]![y * original.width + x]!) ** 2;
        count++;
      }
    }
  }
  return -10 * Math.log10(sum / count);
}
