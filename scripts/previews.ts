import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogNames, loadCatalog } from '../src/catalog/catalog.ts';
import { catalogPreview } from '../src/engines/local/preview.ts';

/**
 * Makes the previews of the catalog with the engine itself, on the sample photos: `npm run previews` makes those that
 * are missing or whose filter has changed, `npm run previews -- --all` all of them.
 */

const folder = join(import.meta.dirname, '../catalog/previews');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
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
    const of = createHash('sha256')
      .update(JSON.stringify([filter.modes, filter.definition]))
      .digest('hex')
      .slice(0, 12);
    if (!all && made()[key] === of && existsSync(file)) continue;
    writeFileSync(file, await catalogPreview(name, filter));
    writeFileSync(record, `${JSON.stringify({ ...made(), [key]: of }, null, 2)}\n`);
    console.log(`${key}  ${filter.name}`);
  }
}
