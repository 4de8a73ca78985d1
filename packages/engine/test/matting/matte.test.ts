import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { scanFace } from '../../src/faces/face-outline.ts';
import { findPeople } from '../../src/faces/faces.ts';
import { separateColours } from '../../src/matting/foreground-colour.ts';
import { classesOf, mattePeople } from '../../src/matting/matte.ts';
import { silhouetteOf } from '../../src/matting/silhouette.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { mapPlanes } from '../../src/pixels/picture.ts';
import { onePerson, photoFile, sample } from '../support/sample-photos.ts';

test('everyone of a group is cut out whole at the face, and the room is not', async () => {
  const photo = await readPhoto(sample(3), 640);
  const faces = await findPeople(photo, { traits: false });
  const matte = await mattePeople(photo, faces);
  assert.equal(matte.coverage.length, 3);
  for (const share of matte.coverage) assert.ok(share > 0.95, `covered: ${matte.coverage}`);
  const people = matte.data.reduce((sum, value) => sum + value, 0) / matte.data.length;
  assert.ok(people > 0.2 && people < 0.7);
  const border = matte.data.slice(0, matte.width).reduce((sum, value) => sum + value, 0) / matte.width;
  assert.ok(border < 0.15, 'the wall above them is background');
});

test('only people with a chosen face are kept when they stand apart', async () => {
  // In the sample groups everybody touches somebody: the same person twice, with a wall between.
  const person = await sharp(await onePerson())
    .resize({ height: 600 })
    .toBuffer();
  const { width } = await sharp(person).metadata();
  const wall = sharp({ create: { width: 3 * width, height: 600, channels: 3, background: '#8a8378' } });
  const pair = wall.composite([
    { input: person, left: 0, top: 0 },
    { input: await sharp(person).flop().toBuffer(), left: 2 * width, top: 0 },
  ]);
  const photo = await readPhoto(await photoFile('pair.png', pair.png()));
  const faces = await findPeople(photo, { traits: false });
  assert.equal(faces.length, 2);
  const classes = await classesOf(photo, faces, { fast: true });
  const seenOf = async (chosen: typeof faces) => {
    const matte = await mattePeople(photo, chosen, { fast: true, classes });
    assert.equal(matte.factor, 1);
    return faces.map((face) => {
      let sum = 0;
      let count = 0;
      scanFace(face, 0.9, matte, (y, from, to) => {
        for (let x = from; x <= to; x++, count++) sum += matte.data[y * matte.width + x]!;
      });
      return Math.round(100 * (sum / count)) / 100;
    });
  };
  assert.deepEqual(await seenOf(faces.slice(0, 1)), [1, 0]);
  assert.deepEqual(await seenOf(faces.slice(1)), [0, 1]);
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
  const planes = mapPlanes([alpha, alpha, alpha], (values, c) =>
    values.map((a) => own[c]! * a + room[c]! * (1 - a)),
  );
  const { foreground, background } = separateColours({ width, height, planes }, alpha);
  for (const x of [28, 32, 36]) {
    const i = 32 * width + x;
    for (let c = 0; c < 3; c++) {
      assert.ok(Math.abs(foreground[c]![i]! - own[c]!) < 0.06, `own colour at ${x}`);
      assert.ok(Math.abs(background[c]![i]! - room[c]!) < 0.06, `room at ${x}`);
    }
  }
});
