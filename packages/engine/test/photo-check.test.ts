import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { checkPhoto, type PeopleTaken } from '../src/booth/photo-check.ts';
import { samplePhotos } from '../src/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-photo-check-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let photos = 0;
async function codesOf(picture: Sharp, taken: PeopleTaken = 'one') {
  const file = join(folder, `${photos++}.jpg`);
  await picture.jpeg({ quality: 90 }).toFile(file);
  const { ok, problems } = await checkPhoto(file, taken);
  assert.equal(ok, problems.length === 0);
  return problems.map(({ code }) => code);
}

const onePerson = () => sharp(samplePhotos.onePerson);
const plain = (background: string) => sharp({ create: { width: 640, height: 480, channels: 3, background } });

test('a photo of one person is fine, and its face is where the guest sees it, whichever way the camera was held', async () => {
  const upright = await checkPhoto(samplePhotos.onePerson, 'one');
  assert.deepEqual([upright.ok, upright.problems, upright.faces.length], [true, [], 1]);
  const file = join(folder, 'turned.jpg');
  await onePerson().rotate(270).withMetadata({ orientation: 6 }).toFile(file);
  const turned = await checkPhoto(file, 'one');
  const [face, other] = [upright.faces[0]!, turned.faces[0]!];
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    assert.ok(face[side] > 0 && face[side] < 1);
    assert.ok(Math.abs(face[side] - other[side]) < 0.03, `${side}: ${face[side]} and ${other[side]}`);
  }
});

test('what is wrong with a photo has a code: no face, too small, cut off, too dark, more people than are taken', async () => {
  assert.deepEqual(await codesOf(plain('#8090a0')), ['NO_FACE']);
  assert.deepEqual(await codesOf(plain('#020202')), ['TOO_DARK']);
  assert.deepEqual(await codesOf(onePerson().linear(0.07, 0)), ['TOO_DARK']);
  assert.deepEqual(await codesOf(onePerson().resize({ height: 150 })), ['FACE_TOO_SMALL']);
  const { faces } = await checkPhoto(samplePhotos.onePerson, 'one');
  const { width, height } = await onePerson().metadata();
  const left = Math.round((faces[0]!.x + 0.3 * faces[0]!.width) * width);
  const half = onePerson().extract({ left, top: 0, width: width - left, height });
  assert.deepEqual(await codesOf(half), ['FACE_CUT_OFF']);
  const two = () => sharp(samplePhotos.twoPeople);
  assert.deepEqual(await codesOf(two()), ['TOO_MANY_PEOPLE']);
  assert.deepEqual(await codesOf(two(), 'everyone'), []);
});

test('a guest who is far from the camera is found as well', async () => {
  const far = onePerson()
    .resize({ height: 330 })
    .extend({ top: 900, bottom: 306, left: 1200, right: 518, background: '#8090a0' });
  const file = join(folder, 'far.jpg');
  await far.jpeg({ quality: 90 }).toFile(file);
  const { faces } = await checkPhoto(file, 'one');
  assert.equal(faces.length, 1);
  assert.ok(faces[0]!.x > 0.5 && faces[0]!.height < 1 / 8, JSON.stringify(faces));
});

test('somebody who is half in the photo counts beside a guest who is near', async () => {
  const input = await onePerson().resize({ height: 1200 }).toBuffer();
  const places = [
    { input, left: 900, top: 300 },
    {
      input: await sharp(input).extract({ left: 500, top: 0, width: 600, height: 1200 }).toBuffer(),
      left: 0,
      top: 300,
    },
  ];
  const two = sharp({ create: { width: 2048, height: 1536, channels: 3, background: '#8090a0' } }).composite(
    places,
  );
  assert.deepEqual(await codesOf(two), ['TOO_MANY_PEOPLE']);
});
