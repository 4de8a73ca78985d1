import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPeople } from '../src/faces/faces.ts';
import { separateColours } from '../src/matting/foreground-colour.ts';
import { mattePeople } from '../src/matting/matte.ts';
import { silhouetteOf } from '../src/matting/silhouette.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import type { Planes } from '../src/pixels/picture.ts';
import { sample } from './sample-photos.ts';

test('everyone of a group is cut out whole at the face, and the room is not', async () => {
  const photo = await readPhoto(sample(5), 1200);
  const faces = await findPeople(photo);
  const matte = await mattePeople(photo, faces);
  assert.equal(matte.coverage.length, 5);
  for (const share of matte.coverage) assert.ok(share > 0.95, `covered: ${matte.coverage}`);
  const people = matte.data.reduce((sum, value) => sum + value, 0) / matte.data.length;
  assert.ok(people > 0.2 && people < 0.7);
  const border = matte.data.slice(0, matte.width).reduce((sum, value) => sum + value, 0) / matte.width;
  assert.ok(border < 0.15, 'the wall above them is background');
});

test('only people with a chosen face are kept when they stand apart', async () => {
  const photo = await readPhoto(sample(1), 1000);
  const faces = await findPeople(photo);
  const all = silhouetteOf(await mattePeople(photo, faces));
  const [left] = faces;
  const one = silhouetteOf(await mattePeople(photo, [left!], { fast: true }));
  assert.ok(one.left >= all.left - 20);
  assert.ok(one.right <= all.right + 20);
});

test('a silhouette tells where the photo cuts people off', () => {
  const width = 40;
  const height = 30;
  const alpha = new Float32Array(width * height);
  for (let y = 10; y < height; y++) for (let x = 0; x < 20; x++) alpha[y * width + x] = 1;
  const { cut, left, right, top, bottom } = silhouetteOf({
    data: alpha,
    width,
    height,
    factor: 2,
    coverage: [],
  });
  assert.deepEqual({ left, right, top, bottom }, { left: 0, right: 36, top: 20, bottom: 58 });
  assert.equal(cut.left.first, 20);
  assert.ok(cut.left.share > 0.6 && cut.bottom.share === 0.5);
  assert.equal(cut.right.share, 0);
  assert.equal(cut.top.share, 0);
});

test('the own colour of a half-transparent edge is found again', () => {
  const width = 64;
  const height = 64;
  const alpha = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) alpha[y * width + x] = Math.min(1, Math.max(0, (x - 24) / 16));
  }
  const own = [0.8, 0.3, 0.1];
  const room = [0.1, 0.4, 0.9];
  const mixed = own.map((value, c) => alpha.map((a) => value * a + room[c]! * (1 - a))) as Planes;
  const { foreground, background } = separateColours({ width, height, planes: mixed }, alpha);
  for (const x of [28, 32, 36]) {
    const i = 32 * width + x;
    for (let c = 0; c < 3; c++) {
      assert.ok(Math.abs(foreground[c]![i]! - own[c]!) < 0.06, `own colour at ${x}`);
      assert.ok(Math.abs(background[c]![i]! - room[c]!) < 0.06, `room at ${x}`);
    }
  }
});
