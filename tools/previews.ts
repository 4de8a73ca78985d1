import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { previewPhoto, renderPreview } from '@guise/engine/preview.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';

/**
 * Makes the previews of the catalog with the engine itself, on the sample photos: `npm run previews` makes those that
 * are missing or whose filter, scene, costume or sample photo has changed, `npm run previews -- --all` all of them.
 */

const root = join(import.meta.dirname, '../catalog');
const folder = join(root, 'previews');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const engine = createEngine();
const all = process.argv.includes('--all');
const record = join(folder, 'made.json');
/** Of what each preview was made. Read anew each time: another run may make others meanwhile. */
const made = (): Record<string, string> =>
  existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};

for (const name of catalogNames) {
  mkdirSync(join(folder, name), { recursive: true });
  for (const filter of catalog.list(name)) {
    const key = `${name}/${filter.id}`;
    const file = join(folder, `${key}.webp`);
    const of = fingerprint(filter, previewPhoto(name, filter));
    if (!all && made()[key] === of && existsSync(file)) continue;
    writeFileSync(file, await renderPreview(engine, name, filter));
    writeFileSync(record, `${JSON.stringify({ ...made(), [key]: of }, null, 2)}\n`);
    console.log(`${key}  ${filter.name}`);
  }
}

/** Changes with the filter, with its sample photo and with every file of the scene and the costume that it names. */
function fingerprint({ modes, definition }: ReturnType<typeof catalog.list>[number], photo: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([modes, definition]))
    .update(readFileSync(photo));
  const { scene, costume } = definition.kind === 'scene' ? definition : {};
  for (const place of [scene && `scenes/${scene}`, costume && `costumes/${costume}`]) {
    for (const file of place ? readdirSync(join(root, place)).sort() : []) {
      hash.update(readFileSync(join(root, place!, file)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}
