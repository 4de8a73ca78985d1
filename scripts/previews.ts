import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogNames, loadCatalog } from '../src/catalog/catalog.ts';
import { catalogPreview } from '../src/engines/local/preview.ts';

/**
 * Makes the previews of the catalog with the engine itself, on the sample photos: `npm run previews` makes those that
 * are missing, `npm run previews -- --all` all of them.
 */

const root = join(import.meta.dirname, '..');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const all = process.argv.includes('--all');
for (const name of catalogNames) {
  mkdirSync(join(root, 'catalog/previews', name), { recursive: true });
  for (const filter of catalog.list(name)) {
    const file = join(root, 'catalog/previews', name, `${filter.id}.webp`);
    if (!all && existsSync(file)) continue;
    writeFileSync(file, await catalogPreview(name, filter));
    console.log(`${name} ${filter.id}  ${filter.name}`);
  }
}
