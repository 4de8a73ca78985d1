import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { samplePhotos } from '../src/samples.ts';
import { compareChecks } from '../test/picture-tasks/compare-checks.ts';
import { sample } from '../test/support/sample-photos.ts';

const changes: ((photo: Sharp) => Sharp)[] = [
  (photo) => photo,
  (photo) => photo.linear(0.12, 0),
  (photo) => photo.linear(0.05, 0),
  (photo) => photo.resize({ height: 380 }),
  (photo) => photo.resize({ height: 200 }),
  (photo) => photo.blur(40),
];

test('of 48 photos, check and job see the same faces in 98 of 100', async () => {
  const originals = [samplePhotos.onePerson, samplePhotos.twoPeople, ...[1, 2, 3, 4, 5, 6].map(sample)];
  const pictures = originals.flatMap((original) => changes.map((change) => change(sharp(original))));
  const disagreements = await compareChecks(pictures);
  assert.ok(disagreements.length <= 0.02 * pictures.length, disagreements.join('\n'));
});
