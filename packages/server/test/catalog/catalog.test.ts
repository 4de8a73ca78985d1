import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { isLookName } from '@guise/engine/looks/look-names.ts';
import { lights, palettes, weathers } from '@guise/engine/prompt/prompt-concepts.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';

const folder = new URL('../../../../catalog/', import.meta.url);
const catalog = loadCatalog(new URL('filters.json', folder));

test('every filter of the catalog names things that are there', async () => {
  const [scenes, costumes] = [await readScenes(), await readCostumes()];
  assert.ok(scenes.size >= 8);
  for (const name of catalogNames) {
    for (const { id, definition } of catalog.list(name)) {
      const at = `${name} ${id}`;
      if (definition.kind === 'scene') {
        assert.ok(scenes.has(definition.scene), at);
        assert.ok(definition.costume === undefined || costumes.has(definition.costume), at);
        assert.ok(definition.light === undefined || definition.light in lights, at);
        assert.ok(definition.weather === undefined || definition.weather in weathers, at);
        assert.ok(definition.palette === undefined || definition.palette in palettes, at);
      }
      assert.ok(definition.look === undefined || isLookName(definition.look), at);
    }
  }
});

test('the catalog is as large as it should be, and no larger', () => {
  const faceSwap = catalog.list('face_swap');
  assert.ok(faceSwap.length >= 24);
  const worn = faceSwap.flatMap(({ definition }) =>
    definition.kind === 'scene' ? (definition.costume ?? []) : [],
  );
  assert.ok(new Set(worn).size >= 8, worn.join());
  for (const { modes, definition, name } of faceSwap) {
    if (definition.kind === 'scene' && definition.costume) assert.deepEqual(modes, ['single', 'group'], name);
  }
  assert.deepEqual(
    catalog.list('realistic').map(({ id }) => id),
    Array.from({ length: 25 }, (_, i) => i + 1),
  );
  assert.ok(catalog.list('stylized').length >= 15);
  const root = fileURLToPath(folder);
  const sizes = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.webp'))
    .map((file) => statSync(join(root, file)).size);
  assert.ok(Math.max(...sizes) < 400_000);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 60e6);
});

test('no two filters of a catalog are the same', () => {
  for (const name of catalogNames) {
    const list = catalog.list(name);
    assert.equal(new Set(list.map((filter) => JSON.stringify(filter.definition))).size, list.length);
    assert.equal(new Set(list.map((filter) => filter.name)).size, list.length);
  }
});

test('every filter of the catalog has a small preview', () => {
  const missing = catalogNames.flatMap((name) =>
    catalog
      .list(name)
      .map((filter) => new URL(`previews/${name}/${filter.id}.webp`, folder))
      .filter((file) => !existsSync(file) || statSync(file).size > 100_000)
      .map((file) => file.pathname),
  );
  assert.deepEqual(missing, []);
});
