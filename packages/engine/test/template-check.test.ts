import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { samplePhotos } from '../src/samples.ts';
import { checkTemplate } from '../src/template-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-template-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function check(name: string, picture: Sharp) {
  const file = join(folder, `${name}.jpg`);
  await picture.jpeg({ quality: 90 }).toFile(file);
  return checkTemplate(file);
}

test('the face of a template is found in pixels of the photo as it is shown, and can be replaced', async () => {
  const upright = await checkTemplate(samplePhotos.onePerson);
  assert.deepEqual(
    upright.faces.map(({ warnings }) => warnings),
    [[]],
  );
  const { width, height } = upright;
  const rotated = sharp(samplePhotos.onePerson).rotate(270).withMetadata({ orientation: 6 });
  const { faces, ...size } = await check('rotated', rotated);
  assert.deepEqual([size.width, size.height], [width, height]);
  const [face, other] = [upright.faces[0]!, faces[0]!];
  assert.ok(Math.abs(face.x - other.x) < 0.1 * face.width && Math.abs(face.y - other.y) < 0.1 * face.height);
});

test('a small picture is called so, and a face that is too small or cut off is marked', async () => {
  const { faces } = await checkTemplate(samplePhotos.onePerson);
  const face = faces[0]!;
  const small = await check('small', sharp(samplePhotos.onePerson).resize({ height: 120 }));
  assert.deepEqual(small.faces[0]?.warnings, ['too small']);
  assert.match(small.warnings.join(' '), /No face of this picture can be replaced.*results are less sharp/);
  const left = Math.round(face.x + 0.3 * face.width);
  const half = sharp(samplePhotos.onePerson).extract({ left, top: 0, width: 500, height: 900 });
  assert.deepEqual((await check('half', half)).faces[0]?.warnings, ['cut off']);
});

test('a picture without a face is said to have none', async () => {
  const { faces, warnings } = await check(
    'grey',
    sharp({ create: { width: 1400, height: 1400, channels: 3, background: '#777777' } }),
  );
  assert.deepEqual(faces, []);
  assert.match(warnings[0]!, /There is no face in this picture/);
});
