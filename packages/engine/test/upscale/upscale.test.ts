import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { moveFace } from '../../src/faces/face-outline.ts';
import { findFaces } from '../../src/faces/faces.ts';
import { node, onnxFile, port } from '../../src/models/convert/onnx-file.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { swapFace } from '../../src/swap/mesh/mesh-swap.ts';
import { upscaleFace, upscaleGuests } from '../../src/upscale/small-faces.ts';
import type { UpscaleModel } from '../../src/upscale/upscale-network.ts';
import { faceAt, paint } from '../support/drawn-people.ts';
import { initializer } from '../support/onnx-initializer.ts';
import { sample } from '../support/sample-photos.ts';

/** Stands for Real-ESRGAN: every pixel four times, and then as its negative where the network's part shall be seen. */
function doublingNetwork(negative: boolean): Buffer {
  const shape = (height: string, width: string) => [1, 3, height, width];
  return onnxFile({
    nodes: [
      node('Concat', ['input', 'input', 'input', 'input'], 'copies', { axis: 1 }),
      node('DepthToSpace', ['copies'], 'doubled', { blocksize: 2 }),
      node('Mul', ['doubled', 'factor'], 'scaled'),
      node('Add', ['scaled', 'shift'], 'output'),
    ],
    inputs: [port('input', shape('height', 'width'))],
    outputs: [port('output', shape('tall', 'wide'))],
    constants: [
      initializer({ name: 'factor', dims: [], values: [negative ? -1 : 1] }),
      initializer({ name: 'shift', dims: [], values: [negative ? 1 : 0] }),
    ],
  });
}

let folder: string;
let negative: UpscaleModel;
let plain: UpscaleModel;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-upscale-'));
  negative = { network: join(folder, 'negative.onnx') };
  plain = { network: join(folder, 'plain.onnx') };
  await writeFile(negative.network, doublingNetwork(true));
  await writeFile(plain.network, doublingNetwork(false));
});
after(() => rm(folder, { recursive: true, force: true }));

const red = ({ width, planes }: Picture, x: number, y: number) =>
  planes[0][Math.round(y) * width + Math.round(x)]!;

describe('a photo of people who will be enlarged', () => {
  const grey = paint(400, 600, () => [0.2, 0.3, 0.4]);

  it('is drawn by the network around the head and the body of somebody alone, and nowhere else', async () => {
    const face = faceAt(200, 150, 60);
    const { photo, placement } = (await upscaleGuests(grey, [face], 3, negative))!;
    assert.deepEqual([photo.width, photo.height], [800, 1200]);
    const { center, height } = moveFace(face, placement);
    assert.ok(Math.abs(red(photo, center.x, center.y) - 0.8) < 1e-4);
    assert.ok(Math.abs(red(photo, center.x, center.y + 2.5 * height) - 0.8) < 1e-4, 'the body');
    for (const [x, y] of [
      [4, 4],
      [790, 300],
      [center.x, 1190],
    ] as const) {
      assert.ok(Math.abs(red(photo, x, y) - 0.2) < 1e-4, `${x}, ${y}`);
    }
  });

  it('has no visible border around what the network drew', async () => {
    const face = faceAt(200, 150, 60);
    const { photo } = (await upscaleGuests(grey, [face], 3, negative))!;
    let steepest = 0;
    for (let y = 0; y < photo.height; y++) {
      for (let x = 1; x < photo.width; x++) {
        steepest = Math.max(steepest, Math.abs(red(photo, x, y) - red(photo, x - 1, y)));
      }
    }
    assert.ok(steepest < 0.04, `a step of ${steepest}`);
  });

  it('shows each head of a group, and nothing is moved', async () => {
    const dots = paint(400, 300, (x, y) => ((x + y) % 7 === 0 ? [1, 1, 1] : [0, 0, 0]));
    const faces = [faceAt(100, 150, 50), faceAt(300, 150, 50)];
    const { photo, placement } = (await upscaleGuests(dots, faces, 2, plain))!;
    for (const face of faces) {
      const { x, y } = face.center;
      for (let dy = -10; dy < 10; dy++) {
        const at = { x: x * placement.scale + placement.x, y: (y + dy) * placement.scale + placement.y };
        const inside = red(photo, Math.floor(at.x), Math.floor(at.y));
        assert.equal(inside, red(dots, x, y + dy));
      }
    }
  });

  it('is left as it is where people are hardly enlarged, are too many, or the photo is large', async () => {
    const face = faceAt(200, 150, 60);
    assert.equal(await upscaleGuests(grey, [face], 1.5, negative), null);
    const row = Array.from({ length: 20 }, (_, i) => faceAt(60 + 60 * i, 200, 40));
    assert.equal(
      await upscaleGuests(
        paint(1280, 400, () => [0, 0, 0]),
        row,
        3,
        negative,
      ),
      null,
    );
    const large = paint(1400, 400, () => [0, 0, 0]);
    assert.equal(await upscaleGuests(large, [face], 3, negative), null);
  });
});

describe('a face that a swap enlarges', () => {
  it('is drawn by the network within what the swap reads of the photo', async () => {
    const grey = paint(900, 900, () => [0.2, 0.3, 0.4]);
    const face = faceAt(450, 300, 80);
    const { photo, placement } = (await upscaleFace(grey, face, 3, negative))!;
    assert.ok(photo.width < 5 * face.height, `${photo.width} px`);
    const moved = moveFace(face, placement);
    assert.ok(Math.abs(red(photo, moved.center.x, moved.center.y) - 0.8) < 1e-4);
    assert.ok(Math.abs(red(photo, 2, 2) - 0.2) < 1e-4);
    assert.equal(await upscaleFace(grey, faceAt(450, 450, 400), 3, negative), null, 'too large a face');
  });

  it('lies where it lay without the network', async () => {
    const template = await readPhoto(sample(6), 1280);
    const slot = (await findFaces(template, { traits: false }))[3]!;
    const small = await readPhoto(sample(1), Math.round(1280 / 2.2));
    const guest = (await findFaces(small, { traits: false }))[2]!;
    const without = await swapFace(template, slot, small, guest);
    const withNetwork = await swapFace(template, slot, small, guest, { upscale: plain });
    let differs = 0;
    let count = 0;
    for (let i = 0; i < template.planes[0].length; i++) {
      if (without.planes[0][i] === template.planes[0][i]) continue;
      differs += Math.abs(without.planes[0][i]! - withNetwork.planes[0][i]!);
      count++;
    }
    assert.ok(count > 10_000, `${count} pixels of a face`);
    assert.ok(differs > 0 && differs / count < 0.02, `${differs / count} in the mean`);
  });
});
