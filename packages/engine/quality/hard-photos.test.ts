import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Composite, compose } from '../src/compose/compose.ts';
import { findFaces } from '../src/faces/faces.ts';
import { faceLuminance } from '../src/faces/photo-problems.ts';
import { type PeoplePhoto, readPeople } from '../src/matting/people.ts';
import { readScenes } from '../src/scenes/scenes.ts';
import { sample } from '../test/support/sample-photos.ts';
import { plainHaloShare } from './halo.ts';
import { likeness } from './likeness.ts';

const scenes = await readScenes();

async function made(number: number, scene: string): Promise<{ people: PeoplePhoto; composed: Composite }> {
  const people = await readPeople(sample(number));
  return { people, composed: await compose([people], scenes.get(scene)!, { ratio: 'landscape', seed: 1 }) };
}

test('faces in the shadow of their photo can be seen in a dark scene, and are still the same people', async () => {
  const { people, composed } = await made(5, 'aurora');
  const light = composed.faces.map((face) => faceLuminance(composed.picture, face));
  assert.ok(Math.min(...light) >= 0.05 && Math.max(...light) <= 0.75, `luminance ${light}`);
  assert.equal(light.indexOf(Math.min(...light)), 0, 'whoever sat in the shadow is still the darkest');
  for (const [i, face] of composed.faces.entries()) {
    const alike = await likeness(people.photo, people.faces[i]!, composed.picture, face);
    assert.ok(alike >= 0.9, `face ${i}: ${alike}`);
  }
});

test('a face in full profile is found again under water, and a bright window behind hair leaves no halo', async () => {
  const { people, composed } = await made(2, 'underwater');
  assert.equal((await findFaces(composed.picture, { traits: false })).length, people.faces.length);
  const plain = plainHaloShare(composed.picture, composed.people.data);
  assert.ok(plain <= 0.02, `halo ${plain}`);
});
