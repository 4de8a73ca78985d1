import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { isLookName, lookNames } from '@guise/engine/looks/look-names.ts';
import { previewPhoto } from '@guise/engine/preview.ts';
import { lights, palettes, weathers } from '@guise/engine/prompt/prompt-concepts.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import { fingerprintOf } from '../../../../tools/preview-fingerprint.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { createFilterOptions, optionLists } from '../../src/catalog/filter-options.ts';

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

test('every look is a stylized style, every scene and every costume is in a filter', async () => {
  const definitions = (['face_swap', 'realistic'] as const).flatMap((name) =>
    catalog.list(name).map(({ definition }) => definition),
  );
  const used = new Set(
    definitions.flatMap((one) =>
      one.kind === 'scene' ? [`scene ${one.scene}`, `costume ${one.costume}`] : [],
    ),
  );
  for (const { definition } of catalog.list('stylized')) {
    if (definition.kind === 'look') used.add(`look ${definition.look}`);
  }
  const there = [
    ...lookNames.map((name) => `look ${name}`),
    ...[...(await readScenes()).keys()].map((name) => `scene ${name}`),
    ...[...(await readCostumes()).keys()].map((name) => `costume ${name}`),
  ];
  assert.deepEqual(
    there.filter((name) => !used.has(name)),
    [],
  );
});

test('everything that a filter may name has a preview, and made.json says of what each was made', async () => {
  const options = await createFilterOptions([], catalog)();
  const keys = [
    ...catalogNames.flatMap((name) => catalog.list(name).map(({ id }) => `${name}/${id}`)),
    ...optionLists.flatMap((list) => options[list].map(({ name }) => `options/${list}/${name}`)),
  ];
  const made = JSON.parse(readFileSync(new URL('previews/made.json', folder), 'utf8'));
  assert.deepEqual(Object.keys(made).sort(), keys.sort());
  assert.deepEqual(
    keys.filter((key) => !existsSync(new URL(`previews/${key}.webp`, folder))),
    [],
  );
  const stale = catalog.list('face_swap').filter((filter) => {
    const photo = previewPhoto('face_swap', filter, filter.id);
    return made[`face_swap/${filter.id}`] !== fingerprintOf(filter, photo);
  });
  assert.deepEqual(stale, [], 'npm run previews');
});

/** Packs may leave these out; the catalog's own entries have them all. */
test('every scene and every costume tells what prompts, generators and compositing ask of it', async () => {
  const shapes = ['portrait', 'landscape', 'square'] as const;
  const missing: string[] = [];
  const ask = (name: string, told: Record<string, unknown>) =>
    missing.push(...Object.keys(told).flatMap((field) => (told[field] ? [] : `${name}: ${field}`)));
  for (const { name, shows, description, words, barrier, depth } of (await readScenes()).values()) {
    ask(name, { shows, description, 'words.place': words?.place, 'words.light': words?.light });
    ask(name, { 'words.wardrobe': words?.wardrobe });
    for (const shape of shapes) {
      ask(name, { [`barrier.${shape}`]: barrier?.[shape], [`depth.${shape}`]: depth?.[shape] });
    }
  }
  for (const { name, shows, description, words, variants } of (await readCostumes()).values()) {
    ask(name, { shows, description, 'words.subject': words?.subject, 'words.wardrobe': words?.wardrobe });
    ask(name, { ...{ woman: undefined, boy: undefined, girl: undefined }, ...variants });
  }
  assert.deepEqual(missing, []);
});
