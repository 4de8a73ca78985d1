import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { scanFace } from '../src/faces/face-outline.ts';
import { findPeople } from '../src/faces/faces.ts';
import { separateColours } from '../src/matting/foreground-colour.ts';
import { mattePeople } from '../src/matting/matte.ts';
import { silhouetteOf } from '../src/matting/silhouette.ts';
import { gaussianBlur } from '../src/pixels/gaussian-blur.ts';
import { guidedFilter } from '../src/pixels/guided-filter.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import type { Planes } from '../src/pixels/picture.ts';
import type { Plane } from '../src/pixels/plane.ts';
import { reduce } from '../src/pixels/reduce.ts';
import { findRegions } from '../src/pixels/regions.ts';
import { resample } from '../src/pixels/resample.ts';
import { onePerson, photoFile, sample } from './sample-photos.ts';

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
  // In the sample groups everybody touches somebody: the same person twice, with a wall between.
  const person = await sharp(await onePerson())
    .resize({ height: 900 })
    .toBuffer();
  const { width } = await sharp(person).metadata();
  const wall = sharp({ create: { width: 3 * width, height: 900, channels: 3, background: '#8a8378' } });
  const pair = wall.composite([
    { input: person, left: 0, top: 0 },
    { input: await sharp(person).flop().toBuffer(), left: 2 * width, top: 0 },
  ]);
  const photo = await readPhoto(await photoFile('pair.png', pair.png()));
  const faces = await findPeople(photo, { traits: false });
  assert.equal(faces.length, 2);
  const seenOf = async (chosen: typeof faces) => {
    const matte = await mattePeople(photo, chosen, { fast: true });
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
  assert.deepEqual(await seenOf(faces), [1, 1]);
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

test('the guided filter snaps a blurred matte to the edge of the picture', () => {
  const width = 80;
  const height = 40;
  const edge = Float32Array.from({ length: width * height }, (_, i) => (i % width < 40 ? 0.2 : 0.8));
  const truth = Float32Array.from({ length: width * height }, (_, i) => (i % width < 40 ? 0 : 1));
  const soft = gaussianBlur({ width, height, data: truth }, 5);
  const guide = { width, height, planes: [edge, edge, edge] satisfies Planes };
  const snapped = guidedFilter({ guide, plane: soft, radius: 12, epsilon: 1e-4 });
  const jump = ({ data }: Plane) => data[20 * width + 41]! - data[20 * width + 38]!;
  assert.ok(jump(soft) < 0.3);
  assert.ok(jump(snapped) > 0.6, `${jump(soft)} became ${jump(snapped)}`);
});

test('resampling keeps flat planes flat and ramps straight, also beyond the borders', () => {
  const size = { width: 30, height: 20 };
  const ramp = { ...size, data: Float32Array.from({ length: 30 * 20 }, (_, i) => (i % 30) / 30) };
  const larger = resample(ramp, { x: 5, y: 5, width: 20, height: 10 }, { width: 60, height: 30 }).data;
  for (let x = 1; x < 59; x++) {
    assert.ok(Math.abs(larger[15 * 60 + x]! - (5 + (x + 0.5) / 3 - 0.5) / 30) < 1e-3);
  }
  const flat = resample(
    { ...size, data: new Float32Array(600).fill(0.4) },
    { x: -6, y: -6, width: 42, height: 32 },
    { width: 17, height: 13 },
  );
  for (const value of flat.data) assert.ok(Math.abs(value - 0.4) < 1e-5);
});

test('reducing keeps the mean, also where the size does not divide', () => {
  const plane = Float32Array.from({ length: 21 * 9 }, (_, i) => i % 7);
  const { data: small, width, height } = reduce({ width: 21, height: 9, data: plane }, 3);
  assert.deepEqual([width, height], [7, 3]);
  const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(mean(small) - mean(plane)) < 1e-5);
  const flat = { width: 7, height: 5, data: new Float32Array(35).fill(2) };
  assert.deepEqual([...reduce(flat, 4).data], [2, 2, 2, 2]);
});

test('regions are told apart by their sides, not their corners', () => {
  const data = Float32Array.from([1, 1, 0, 0, 0, 1, 1, 0, 1]);
  const { labels, areas } = findRegions({ width: 3, height: 3, data }, 0.5, 'above');
  assert.equal(areas.length - 1, 3);
  assert.equal(labels[0], labels[1]);
  assert.equal(labels[5], labels[8]);
  assert.notEqual(labels[0], labels[5]);
  assert.notEqual(labels[6], labels[8]);
});
