import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { findPeople } from '../src/faces/faces.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { cast, castFor, sampleFor, samplePhotos } from '../src/samples.ts';

const folder = dirname(samplePhotos.onePerson);

test('every sample photo shows the people that its name says', async () => {
  const expected = { onePerson: 1, head: 1, man: 1, woman: 1, olderWoman: 1, twoPeople: 2 };
  for (const [name, file] of Object.entries(samplePhotos)) {
    const people = await findPeople(await readPhoto(file), { traits: false });
    assert.equal(people.length, expected[name as keyof typeof expected], name);
  }
});

test('a costume is shown on the photo of a head', () => {
  const scene = { kind: 'scene', scene: 'great-hall' } as const;
  assert.equal(sampleFor(scene), samplePhotos.onePerson);
  assert.equal(sampleFor({ ...scene, costume: 'knight' }), samplePhotos.head);
});

test('the cast takes turns, each with the photo that suits the filter', () => {
  const scene = { kind: 'scene', scene: 'great-hall' } as const;
  const shown = cast.map((_, turn) => castFor(scene, turn));
  assert.equal(new Set(shown.map(({ photo }) => photo)).size, cast.length);
  assert.deepEqual(castFor(scene, cast.length), shown[0]);
  assert.deepEqual([...new Set(shown.map(({ gender }) => gender))].sort(), [0, 1]);
  const dressed = cast.map((_, turn) => castFor({ ...scene, costume: 'knight' }, turn).photo);
  assert.ok(dressed.includes(samplePhotos.head));
  for (const photo of [samplePhotos.onePerson, samplePhotos.olderWoman])
    assert.ok(!dressed.includes(photo), photo);
});

test('every sample photo is small, and the page beside it tells where it comes from', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const photos = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  assert.deepEqual(
    photos.sort(),
    Object.values(samplePhotos)
      .map((file) => basename(file))
      .sort(),
  );
  for (const name of photos) {
    assert.ok(page.includes(`\`${name}\``), name);
    assert.ok(statSync(join(folder, name)).size <= 400_000, name);
  }
});
