import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Face } from '../../src/faces/face.ts';
import { pointOf } from '../../src/faces/face-outline.ts';
import { findPeople } from '../../src/faces/faces.ts';
import { type BodyClasses, classifyBodies } from '../../src/matting/body-classes.ts';
import { type BodyClass, bodyClasses } from '../../src/matting/class-pass.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { onePerson, sample } from '../support/sample-photos.ts';

let photo: Picture;
let face: Face;
let classes: BodyClasses;

before(async () => {
  photo = await readPhoto(await onePerson());
  const faces = await findPeople(photo, { traits: false });
  face = faces[0]!;
  classes = await classifyBodies(photo, faces);
});

/** The shares of a pixel of the photo. */
function sharesAt(x: number, y: number): Record<BodyClass, number> {
  const at = Math.round(y / classes.factor) * classes.width + Math.round(x / classes.factor);
  return Object.fromEntries(bodyClasses.map((name) => [name, classes.shares[name][at]!])) as Record<
    BodyClass,
    number
  >;
}

test('the classes of a photo are planes with a longest side of 640 that add up to 1', () => {
  assert.equal(Math.max(classes.width, classes.height), 640);
  assert.ok(Math.abs(classes.width * classes.factor - photo.width) < 2);
  for (let i = 0; i < classes.worth.length; i += 97) {
    const sum = bodyClasses.reduce((all, name) => all + classes.shares[name][i]!, 0);
    assert.ok(Math.abs(sum - 1) < 1e-3, `${sum} at ${i}`);
    assert.ok(classes.worth[i]! > 0.9, 'a person this large is told');
  }
});

test('a face is skin, above its brow is hair, below its chin are clothes, and beside it is the room', () => {
  const { center, height } = face;
  const brow = pointOf(face, 10);
  const chin = pointOf(face, 152);
  assert.ok(sharesAt(center.x, center.y).faceSkin > 0.8);
  assert.ok(sharesAt(brow.x, brow.y - 0.3 * height).hair > 0.6);
  assert.ok(sharesAt(chin.x, chin.y + 1.6 * height).clothes > 0.6);
  assert.ok(sharesAt(photo.width - 10, 10).background > 0.9);
});

test('the skin of a face lies where the face is, to an eighth of its height', () => {
  let [x, y, sum] = [0, 0, 0];
  const { faceSkin } = classes.shares;
  for (let i = 0; i < faceSkin.length; i++) {
    x += faceSkin[i]! * (i % classes.width);
    y += faceSkin[i]! * Math.floor(i / classes.width);
    sum += faceSkin[i]!;
  }
  const off = Math.hypot(
    ((x / sum) * classes.factor - face.center.x) / face.height,
    ((y / sum) * classes.factor - face.center.y) / face.height,
  );
  assert.ok(off < 0.125, `${off}`);
});

test('classes of people who are too small in the photo are worth little', async () => {
  const group = await readPhoto(sample(6), 1200);
  const faces = await findPeople(group, { traits: false });
  const tiny = faces.map((one) => ({ ...one, height: one.height / 20 }));
  const { worth } = await classifyBodies(group, tiny, { detail: 'outline' });
  assert.ok(worth.every((value) => value < 0.5));
});
