import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { keptInMatte, keptOnCanvas, measureMask } from '../../quality/mask-errors.ts';
import { either, type LabelMap, labelOf, nobody, readReferences } from '../../quality/reference-photos.ts';
import type { Face } from '../../src/faces/face.ts';

/** Two people of 40 × 100 photo pixels side by side, a glass before the second; one pixel is two of the photo. */
const [width, height] = [100, 60];
const mask: LabelMap = {
  width,
  height,
  factor: 2,
  labels: Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (y < 10 || x < 20 || x >= 60) return nobody;
    if (x >= 45 && x < 55 && y >= 40 && y < 50) return either;
    return x < 40 ? 1 : 2;
  }),
};
const faceAt = (x: number, y: number, tall = 40) => ({ center: { x, y }, height: tall }) as Face;
const everybody = { isMeant: (label: number) => label !== nobody, faces: [faceAt(60, 40)] };

/** A matte as large as the mask that keeps what `keeps` says of the mask's pixels. */
const matteOf = (keeps: (x: number, y: number) => boolean) =>
  keptInMatte({
    width,
    height,
    factor: 2,
    data: Float32Array.from({ length: width * height }, (_, i) =>
      keeps(i % width, Math.floor(i / width)) ? 1 : 0,
    ),
  });
const isPerson = (x: number, y: number) => y >= 10 && x >= 20 && x < 60;

test('a mask that is right, or off by less than a contour is known, has no errors', () => {
  const right = measureMask(mask, matteOf(isPerson), everybody);
  assert.deepEqual(right, { lost: 0, foreign: 0 });
  const wider = measureMask(
    mask,
    matteOf((x, y) => isPerson(x + 1, y)),
    everybody,
  );
  assert.deepEqual(wider, { lost: 0, foreign: 0 });
});

test('what is missing and what else was kept are shares of the people’s area; either answer is right for a glass', () => {
  const area = 40 * 50 - 100;
  const { lost, foreign } = measureMask(
    mask,
    matteOf((x, y) => (isPerson(x, y) && !(x >= 45 && x < 55 && y >= 40 && y < 50) && y < 55) || x >= 80),
    everybody,
  );
  assert.ok(Math.abs(lost - (36 * 5) / area) < 0.05, `${lost}`);
  assert.ok(lost > 0);
  assert.ok(Math.abs(foreign - (20 * 60) / area) < 0.01, `${foreign}`);
});

test('a neighbour who is kept beside one guest is foreign', () => {
  const guest = labelOf(mask, faceAt(60, 60));
  assert.equal(guest, 1);
  const one = { isMeant: (label: number) => label === guest, faces: [faceAt(60, 60)] };
  const { lost, foreign } = measureMask(mask, matteOf(isPerson), one);
  assert.equal(lost, 0);
  assert.ok(foreign > 0.7 && foreign < 1, `${foreign}`);
});

test('people on a canvas are read where their photo was placed; what is beyond the canvas is not counted', () => {
  // Half as large, and the photo's left quarter is outside.
  const canvas = { width: 75, height: 60, data: new Float32Array(75 * 60) };
  for (let y = 10; y < 60; y++) canvas.data.fill(1, y * 75, y * 75 + 35);
  const kept = keptOnCanvas(canvas, faceAt(60, 40), faceAt(60 / 2 - 25, 20, 20));
  assert.equal(kept(20, 40), null);
  assert.equal(kept(60, 40), 1);
  assert.equal(kept(140, 40), 0);
  assert.deepEqual(measureMask(mask, kept, everybody), { lost: 0, foreign: 0 });
});

test('every reference photo has a mask of its shape with as many people as are in it', async () => {
  const expected = [3, 3, 3, 4, 5, 4, 2, 1, 1, 1];
  const references = await readReferences();
  assert.equal(references.length, 16);
  for (const [index, { name, file, mask }] of references.entries()) {
    const people = new Set(mask.labels);
    people.delete(nobody);
    people.delete(either);
    assert.equal(people.size, expected[index] ?? 1, name);
    const photo = await sharp(file).metadata();
    const shape = photo.height / photo.width - mask.height / mask.width;
    assert.ok(Math.abs(shape) < 0.01, name);
    for (const label of people) {
      const share = mask.labels.filter((one) => one === label).length / mask.labels.length;
      assert.ok(share > 0.03, `${name}: person ${label} has ${share}`);
    }
  }
});
