import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { keepPhotoFrame } from '../../src/compose/photo-canvas.ts';
import type { Silhouette } from '../../src/matting/silhouette.ts';
import { outpaint, placeForOutpaint } from '../../src/outpaint/outpaint.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { resamplePicture } from '../../src/pixels/resample.ts';
import { sample } from '../support/sample-photos.ts';

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

describe('an expanded photo, painted in two passes,', () => {
  const size = { width: 1200, height: 1800 };
  const [scale, left, top] = [0.95, 30, 895];
  let photo: Picture;
  let expanded: Picture;

  before(async () => {
    photo = await readPhoto(sample(4), 1200);
    expanded = await outpaint(photo, { scale, x: left, y: top }, size, { seed: 5 });
  });

  test('is unchanged inside its frame, outside there is picture, and the seam has no step', () => {
    assert.deepEqual([expanded.width, expanded.height], [1200, 1800]);
    const window = {
      x: -left / scale,
      y: -top / scale,
      width: size.width / scale,
      height: size.height / scale,
    };
    const laid = resamplePicture(photo, window, size);
    for (let y = top + 60; y < top + 740; y += 13) {
      for (let x = left + 60; x < left + 1080; x += 13) {
        assert.equal(expanded.planes[0][y * 1200 + x], laid.planes[0][y * 1200 + x]);
      }
    }
    // Replicating the border would leave rows without any change across them.
    assert.ok(roughness(expanded, 20, 60) > 0.0008, `${roughness(expanded, 20, 60)}`);
    // The frame's upper edge, in the middle: no more of a step than rows within the photo have.
    assert.ok(
      step(expanded, top) < 2.5 * step(expanded, top + 60) + 0.01,
      `${step(expanded, top)} ${step(expanded, top + 60)}`,
    );
  });

  test('has no line where a pass ends', () => {
    const steps = Array.from({ length: 300 }, (_, i) => step(expanded, 400 + i));
    const usual = steps.toSorted((a, b) => a - b)[150]!;
    assert.ok(Math.max(...steps) < 2 * usual, `${Math.max(...steps)} ${usual}`);
  });
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
