import { test } from 'node:test';
import { readCostumes } from '../src/costume/costumes.ts';
import { checkCostumePictures, checkScenePictures } from '../src/packs/pack-pictures.ts';
import { readScenes } from '../src/scenes/scenes.ts';

test('every picture of the catalog passes what a pack has to pass', async () => {
  for (const scene of (await readScenes()).values()) await checkScenePictures(scene);
  for (const costume of (await readCostumes()).values()) await checkCostumePictures(costume);
});
