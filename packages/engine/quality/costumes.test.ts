import { test } from 'node:test';
import { composeInCostumes } from '../src/costume/costume.ts';
import { readCostumes } from '../src/costume/costumes.ts';
import { readPeople } from '../src/matting/people.ts';
import { readScenes } from '../src/scenes/scenes.ts';
import { checkFront, checkHead } from '../test/costume/check-costume.ts';
import { onePerson } from '../test/support/sample-photos.ts';

const scenes = await readScenes();
const people = await readPeople(await onePerson());

for (const costume of (await readCostumes()).values()) {
  test(`the guest wears ${costume.name}: one face, upright, with a front below it`, async () => {
    const scene = scenes.get(costume.scenes[0]!)!;
    const wearer = { people, face: people.faces[0]!, costume };
    const composed = await composeInCostumes([wearer], scene, { ratio: 'portrait', seed: 1 });
    await checkHead(costume.name, composed, people);
    checkFront(costume.name, composed);
  });
}
