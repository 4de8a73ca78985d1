import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '../src/compose/compose.ts';
import { readPeople } from '../src/matting/people.ts';
import { readScenes } from '../src/scenes/scenes.ts';
import { onePerson, sample } from '../test/support/sample-photos.ts';
import { haloShare, photoBehind, plainHaloShare } from './halo.ts';

test('people from the knees up and a group have no halo, by either measure', async () => {
  const scenes = await readScenes();
  const [one, four] = [await readPeople(await onePerson()), await readPeople(sample(4))];
  const plain: number[] = [];
  const withoutOwn: number[] = [];
  for (const [people, scene, ratio] of [
    [one, 'great-hall', 'portrait'],
    [four, 'neon-street', 'landscape'],
    [one, 'aurora', 'square'],
    [one, 'ocean-golden', 'square'],
  ] as const) {
    const made = await compose([people], scenes.get(scene)!, { ratio, seed: 1 });
    const before = photoBehind(people.photo, people.faces[0]!, made.faces[0]!, made.picture);
    plain.push(plainHaloShare(made.picture, made.people.data));
    withoutOwn.push(haloShare(made.picture, made.people.data, before));
  }
  plain.sort((a, b) => a - b);
  withoutOwn.sort((a, b) => a - b);
  // The portrait's worst points are a line of the hall's floor, seen through the gap beside a wrist.
  assert.ok(withoutOwn[2]! <= 0.012 && withoutOwn[3]! <= 0.025, `without own rims ${withoutOwn}`);
  assert.ok(plain[2]! <= 0.02 && plain[3]! <= 0.03, `plain ${plain}`);
});
