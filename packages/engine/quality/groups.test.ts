import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '../src/compose/compose.ts';
import { findFaces } from '../src/faces/faces.ts';
import { readPeople } from '../src/matting/people.ts';
import { samplePhotos } from '../src/samples.ts';
import { readScenes } from '../src/scenes/scenes.ts';
import { onePerson, sample } from '../test/support/sample-photos.ts';

const scenes = await readScenes();
const scene = (name: string) => scenes.get(name)!;

test('a group that its photo ends at the chests stands behind the barrier, and without one ends at the lower border', async () => {
  const two = await readPeople(samplePhotos.twoPeople);
  const behind = await compose([two], scene('stadium'), { ratio: 'portrait', seed: 1 });
  assert.deepEqual(
    behind.applied.map(({ kind }) => kind),
    ['barrier'],
  );
  assert.ok(behind.people.data.subarray(0.9 * behind.people.data.length).every((alpha) => alpha < 0.02));
  const { barrier: _, ...bare } = scene('stadium');
  const { people, picture } = await compose([two], bare, { ratio: 'portrait', seed: 1 });
  const lowest = people.data.subarray((picture.height - 1) * picture.width);
  assert.ok(lowest.filter((alpha) => alpha > 0.5).length > 0.5 * picture.width);
});

test('the people of several photos stand together with faces of one size', async () => {
  const one = await readPeople(await onePerson());
  const three = await readPeople(sample(3));
  const { faces, picture } = await compose([one, three], scene('neon-street'), {
    ratio: 'landscape',
    seed: 1,
  });
  assert.equal(faces.length, 4);
  assert.equal((await findFaces(picture)).length, 4);
  const heights = faces.map((face) => face.height);
  assert.ok(Math.max(...heights) / Math.min(...heights) < 1.3);
});
