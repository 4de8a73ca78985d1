import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { checkPhoto, type PhotoUse } from '../../src/picture-tasks/photo-check.ts';
import { samplePhotos } from '../../src/samples.ts';
import { sample } from '../support/sample-photos.ts';
import { compareChecks, forAll, jpegFile, scene } from './compare-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-photo-check-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (picture: Sharp) => jpegFile(folder, picture);

const forOne: PhotoUse = { taken: 'one', filter: scene };

async function problemsOf(picture: Sharp, use: PhotoUse = forOne) {
  const { ok, problems } = await checkPhoto(await fileOf(picture), use);
  assert.equal(ok, problems.length === 0);
  return problems;
}

async function codesOf(picture: Sharp, use: PhotoUse = forOne) {
  return (await problemsOf(picture, use)).map(({ code }) => code);
}

const onePerson = () => sharp(samplePhotos.onePerson);
const plain = (background: string) => sharp({ create: { width: 480, height: 360, channels: 3, background } });

test('a photo of one person is fine, and its face is where the guest sees it, whichever way the camera was held', async () => {
  const upright = await checkPhoto(samplePhotos.onePerson, forOne);
  assert.deepEqual([upright.ok, upright.problems, upright.faces.length], [true, [], 1]);
  const file = join(folder, 'rotated.jpg');
  await onePerson().rotate(270).withMetadata({ orientation: 6 }).toFile(file);
  const rotated = await checkPhoto(file, forOne);
  const [face, other] = [upright.faces[0]!, rotated.faces[0]!];
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
  const { faces } = await checkPhoto(samplePhotos.onePerson, forOne);
  const { width, height } = await onePerson().metadata();
  const left = Math.round((faces[0]!.x + 0.3 * faces[0]!.width) * width);
  const half = onePerson().extract({ left, top: 0, width: width - left, height });
  assert.deepEqual(await codesOf(half), ['FACE_CUT_OFF']);
  const two = () => sharp(samplePhotos.twoPeople);
  assert.deepEqual(await codesOf(two()), ['TOO_MANY_PEOPLE']);
  assert.deepEqual(await codesOf(two(), forAll), []);
});

test('a guest who is far from the camera is found as well', async () => {
  const far = onePerson()
    .resize({ height: 330 })
    .extend({ top: 900, bottom: 306, left: 1200, right: 518, background: '#8090a0' });
  const file = join(folder, 'far.jpg');
  await far.jpeg({ quality: 90 }).toFile(file);
  const { faces } = await checkPhoto(file, forOne);
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

test('what a job would be refused for blocks and comes first; what it is made of does not block', async () => {
  const two = () => sharp(samplePhotos.twoPeople);
  const shown = async (picture: Sharp, use?: PhotoUse) =>
    (await problemsOf(picture, use)).map(({ code, blocks }) => `${code}${blocks ? ' blocks' : ''}`);
  assert.deepEqual(await shown(two()), ['TOO_MANY_PEOPLE'], 'a picture of one of them is made');
  assert.deepEqual(await shown(sharp(sample(4))), ['TOO_MANY_PEOPLE blocks'], 'they touch');
  assert.deepEqual(await shown(two().linear(0.05, 0)), ['TOO_DARK blocks', 'TOO_MANY_PEOPLE']);
  assert.deepEqual(await shown(onePerson().resize({ height: 150 })), ['FACE_TOO_SMALL blocks']);
  const { faces } = await checkPhoto(samplePhotos.onePerson, forOne);
  const { width, height } = await onePerson().metadata();
  const left = Math.round((faces[0]!.x + 0.3 * faces[0]!.width) * width);
  const half = () => onePerson().extract({ left, top: 0, width: width - left, height });
  assert.deepEqual(await shown(half()), ['FACE_CUT_OFF blocks'], 'nobody is cut in a scene');
  assert.deepEqual(await shown(half(), { taken: 'everyone', filter: { kind: 'look', look: 'ink' } }), [
    'FACE_CUT_OFF',
  ]);
  const top = Math.round(faces[0]!.y * height);
  const topless = () => onePerson().extract({ left: 0, top, width, height: height - top });
  const costume: PhotoUse = { taken: 'one', filter: { kind: 'scene', scene: 'aurora', costume: 'knight' } };
  assert.deepEqual(await shown(topless(), costume), ['FACE_CUT_OFF blocks']);
  // Hair to the sides, as of a guest who stands too near.
  const near = Math.round(0.55 * faces[0]!.height * height);
  const middle = Math.round((faces[0]!.x + faces[0]!.width / 2) * width);
  const tight = () => onePerson().extract({ left: middle - near, top: 0, width: 2 * near, height });
  assert.deepEqual(await shown(tight(), costume), ['FACE_CUT_OFF blocks']);
  assert.deepEqual(await shown(tight()), [], 'a scene shows it as it is');
  assert.deepEqual(await shown(onePerson().resize({ height: Math.round(80 / faces[0]!.height) }), costume), [
    'FACE_TOO_SMALL blocks',
  ]);
});

/** `npm run test:pictures` compares eight photos, each changed in six ways. */
test('check and job see the same faces: what one refuses for them, the other does', async () => {
  const disagreements = await compareChecks([
    onePerson(),
    onePerson().linear(0.05, 0),
    onePerson().resize({ height: 380 }),
    onePerson().resize({ height: 200 }),
    onePerson().blur(40),
    sharp(sample(6)).resize(1100),
    sharp(sample(6)).resize(1100).linear(0.12, 0),
  ]);
  assert.deepEqual(disagreements, []);
});
