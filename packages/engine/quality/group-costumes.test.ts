import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeInCostumes } from '../src/costume/costume.ts';
import { uprightHeight } from '../src/costume/costume-head.ts';
import { type Costume, readCostumes } from '../src/costume/costumes.ts';
import type { Face } from '../src/faces/face.ts';
import { findFaces, findPeople } from '../src/faces/faces.ts';
import { findPeopleIn, separateGuests } from '../src/matting/people.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { once } from '../src/runtime/once.ts';
import { readScenes, type Scene } from '../src/scenes/scenes.ts';
import { sample } from '../test/support/sample-photos.ts';
import { likeness } from './likeness.ts';

const [scenes, costumes] = [await readScenes(), await readCostumes()];

/** Each person of a photo of four, cut out once for all tests. */
const group = once(async () => {
  const photo = await readPhoto(sample(6));
  const everyone = await findPeople(photo, { traits: false });
  return { photo, guests: separateGuests(await findPeopleIn(photo, everyone)) };
});

function anyCostume(): { costume: Costume; scene: Scene } {
  const costume = costumes.get('knight')!;
  return { costume, scene: scenes.get(costume.scenes[0]!)! };
}

test('one guest of a group gets the costume, without the heads of the others', async () => {
  const { photo, guests } = await group();
  const people = guests[1]!;
  const [second] = people.faces as [Face];
  const { costume, scene } = anyCostume();
  const { picture, faces } = await composeInCostumes([{ people, face: second, costume }], scene, {
    ratio: 'square',
    seed: 1,
  });
  assert.equal((await findFaces(picture)).length, 1);
  assert.ok((await likeness(photo, second, picture, faces[0]!)) > 0.85);
});

test('everybody of a group wears a costume: as many faces as guests, in their order, of one size', async () => {
  const { photo, guests } = await group();
  const { costume, scene } = anyCostume();
  const wearers = guests.map((people) => ({ people, face: people.faces[0]!, costume }));
  const { picture, faces, people } = await composeInCostumes(wearers, scene, { ratio: 'landscape', seed: 1 });
  const found = await findFaces(picture);
  assert.equal(found.length, guests.length);
  for (const [i, said] of faces.entries()) {
    const { center, height } = found[i]!;
    assert.ok(Math.hypot(center.x - said.center.x, center.y - said.center.y) < 0.1 * said.height);
    assert.ok(
      Math.abs(uprightHeight(said) / uprightHeight(faces[0]!) - 1) < 0.02,
      `guest ${i}: ${uprightHeight(said)}`,
    );
    const alike = await likeness(photo, guests[i]!.faces[0]!, picture, said);
    assert.ok(alike > 0.85, `guest ${i}: ${alike}`);
    for (let y = Math.round(center.y + 1.3 * height); y < picture.height; y++) {
      assert.ok(people.data[y * picture.width + Math.round(center.x)]! > 0.95, `guest ${i} has a body`);
    }
  }
});
