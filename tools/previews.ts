import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CatalogName, catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { previewPhoto, renderPreview } from '@guise/engine/preview.ts';
import { type CatalogFilter, loadCatalog } from '@guise/server/catalog/catalog.ts';
import {
  createFilterOptions,
  type OptionList,
  optionFields,
  optionLists,
} from '@guise/server/catalog/filter-options.ts';
import { fingerprintOf, type PreviewedFilter } from './preview-fingerprint.ts';

/**
 * Makes the previews of the catalog, and of what scene filters may name, with the engine itself, on the sample photos:
 * `npm run previews` makes those that are missing or whose filter, scene, costume or sample photo has changed,
 * `npm run previews -- --all` all of them, `npm run previews -- face_swap` those whose names begin so. Then it makes the
 * sheet of them.
 */

const folder = join(import.meta.dirname, '../catalog/previews');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const engine = createEngine();
const all = process.argv.includes('--all');
const only = process.argv.slice(2).find((word) => !word.startsWith('--'));
const record = join(folder, 'made.json');
/** Of what each preview was made. Read anew each time: another run may make others meanwhile. */
const made = (): Record<string, string> =>
  existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};

for (const name of catalogNames) {
  for (const filter of catalog.list(name)) await makePreview(name, filter, `${name}/${filter.id}`, filter.id);
}
const costumes = await readCostumes();
const options = await createFilterOptions([], catalog)();
for (const [at, list] of optionLists.entries()) {
  for (const [turn, { name, modes }] of options[list].entries()) {
    const filter = { modes: [...modes], definition: definitionThatShows(list, name) };
    await makePreview('face_swap', filter, `options/${list}/${name}`, isCompared(list) ? at : turn);
  }
}
await import('./catalog-sheet.ts');

async function makePreview(
  name: CatalogName,
  filter: PreviewedFilter,
  key: string,
  turn: number,
): Promise<void> {
  const file = join(folder, `${key}.webp`);
  const of = fingerprintOf(filter, previewPhoto(name, filter, turn));
  if (only && !key.startsWith(only)) return;
  if (!all && made()[key] === of && existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await renderPreview(engine, name, filter, turn));
  writeFileSync(record, `${JSON.stringify({ ...made(), [key]: of }, null, 2)}\n`);
  console.log(key);
}

/** Entries of these lists differ in little: all of one list are shown on the same person. */
function isCompared(list: OptionList): boolean {
  return ['lights', 'weathers', 'palettes'].includes(list);
}

/** Light, weather and palettes are shown on one landscape, to be compared; a costume in the first scene it is for. */
function definitionThatShows(list: OptionList, name: string): CatalogFilter['definition'] {
  switch (list) {
    case 'scenes':
      return { kind: 'scene', scene: name };
    case 'looks':
      return { kind: 'look', look: name };
    case 'costumes':
      return { kind: 'scene', scene: costumes.get(name)!.scenes[0]!, costume: name };
    default:
      return { kind: 'scene', scene: 'alpine-lake', [optionFields[list]]: name };
  }
}
