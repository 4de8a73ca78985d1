import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { catalogNames, loadCatalog } from '../src/catalog/catalog.ts';
import { readCostumes } from '../src/engines/local/costumes.ts';
import { lookNames } from '../src/engines/local/looks/looks.ts';
import { lights, palettes, weathers } from '../src/engines/local/prompt-concepts.ts';
import { readScenes } from '../src/engines/local/scenes.ts';

const folder = new URL('../catalog/', import.meta.url);
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
      assert.ok(definition.look === undefined || lookNames.includes(definition.look), at);
    }
  }
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
