import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPhotoFrame } from '../src/compose/photo-canvas.ts';
import type { Silhouette } from '../src/matting/silhouette.ts';
import { outpaint, placeForOutpaint } from '../src/outpaint/outpaint.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import type { Picture } from '../src/pixels/picture.ts';
import { resamplePicture } from '../src/pixels/resample.ts';
import { sample } from './sample-photos.ts';

const uncut = { share: 0, first: -1 };
const cutHere = { share: 0.3, first: 200 };

function silhouette(cut: Partial<Silhouette['cut']>): Silhouette {
  const sides = { left: uncut, right: uncut, top: uncut, bottom: uncut, ...cut };
  return {
    width: 1500,
    height: 1000,
    left: 0,
    right: 0,
    top: 0,
    bottom: 0,
    rowWidths: new Float32Array(),
    cut: sides,
  };
}

const canvas = { width: 1800, height: 1200 };

test('free sides get room; a side that cuts people stays at the border', () => {
  const free = placeForOutpaint(silhouette({}), canvas);
  assert.ok(
    free.x > 50 && free.y > 50 && free.x + 1500 * free.scale < 1750 && free.y + 1000 * free.scale < 1150,
  );
  const standing = placeForOutpaint(silhouette({ bottom: cutHere }), canvas);
  assert.ok(Math.abs(standing.y + 1000 * standing.scale - 1200) < 0.01);
  const atLeft = placeForOutpaint(silhouette({ left: cutHere }), canvas);
  assert.equal(atLeft.x, 0);
  const both = placeForOutpaint(silhouette({ left: cutHere, right: cutHere }), canvas);
  assert.ok(Math.abs(1500 * both.scale - 1800) < 0.01);
});

test('inside its frame the photo is unchanged, outside there is picture, and the seam has no step', async () => {
  const photo = await readPhoto(sample(4), 1200);
  const size = { width: 1280, height: 1280 };
  const placement = { scale: 0.9, x: 100, y: 240 };
  const expanded = await outpaint(photo, placement, size, { seed: 5 });
  assert.deepEqual([expanded.width, expanded.height], [1280, 1280]);

  const window = { x: -100 / 0.9, y: -240 / 0.9, width: 1280 / 0.9, height: 1280 / 0.9 };
  const laid = resamplePicture(photo, window, size);
  for (let y = 300; y < 1000; y += 13) {
    for (let x = 160; x < 1100; x += 13) {
      assert.equal(expanded.planes[0][y * 1280 + x], laid.planes[0][y * 1280 + x]);
    }
  }
  // Replicating the border would leave rows without any change across them.
  assert.ok(roughness(expanded, 20, 60) > 0.0008);
  // The frame's upper edge, in the middle: no more of a step than rows within the photo have.
  assert.ok(
    step(expanded, 240) < 2.5 * step(expanded, 300) + 0.01,
    `${step(expanded, 240)} ${step(expanded, 300)}`,
  );
});

test('what is painted in two passes has no line where one of them ends', async () => {
  const photo = await readPhoto(sample(4), 1200);
  const expanded = await outpaint(
    photo,
    { scale: 1, x: 0, y: 895 },
    { width: 1200, height: 1800 },
    { seed: 5 },
  );
  const steps = Array.from({ length: 300 }, (_, i) => step(expanded, 400 + i));
  const usual = steps.toSorted((a, b) => a - b)[150]!;
  assert.ok(Math.max(...steps) < 2 * usual, `${Math.max(...steps)} ${usual}`);
});

test('a kept frame has the photo in it whole', async () => {
  const photo = await readPhoto(sample(2), 900);
  const { picture } = keepPhotoFrame(photo, []);
  assert.equal(picture.width, 1800);
  assert.ok(Math.abs(picture.width / picture.height - photo.width / photo.height) < 0.002);
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height };
  const back = resamplePicture(picture, whole, photo);
  for (const [c, plane] of back.planes.entries()) {
    const off = plane.reduce((sum, value, i) => sum + Math.abs(value - photo.planes[c]![i]!), 0);
    assert.ok(off / plane.length < 0.01, `${off / plane.length}`);
  }
});

function step({ width, planes }: Picture, y: number): number {
  let sum = 0;
  for (let x = 300; x < 900; x++)
    sum += Math.abs(planes[1][(y + 2) * width + x]! - planes[1][(y - 2) * width + x]!);
  return sum / 600;
}

function roughness({ width, planes }: Picture, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let y = from; y < to; y++) {
    for (let x = 300; x < 900; x++, count++)
      sum += Math.abs(planes[1][y * width + x]! - planes[1][(y - 1) * width + x]!);
  }
  return sum / count;
}
