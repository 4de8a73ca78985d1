import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { catalogNames, loadCatalog } from '../src/catalog/catalog.ts';
import { run } from '../src/engines/local/worker.ts';

/**
 * Makes the previews of the catalog with the engine itself, on the sample photos: `npm run previews` makes those that
 * are missing, `npm run previews -- --all` all of them.
 */

const root = join(import.meta.dirname, '..');
const sample = (name: string) => join(root, 'node_modules/@vladmandic/face-api/demo', name);
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const kinds = {
  face_swap: { family: 'face_swap_v6', params: { gender: 1, ratio: 'portrait' }, photo: 'sample5.jpg' },
  realistic: { family: 'multi_swap_v5', params: { outpaint: false }, photo: 'sample4.jpg' },
  stylized: { family: 'stylized_multi_swap_v1', params: { outpaint: false }, photo: 'sample1.jpg' },
} as const;

const scratch = mkdtempSync(join(tmpdir(), 'guise-previews-'));
const all = process.argv.includes('--all');
for (const name of catalogNames) {
  mkdirSync(join(root, 'catalog/previews', name), { recursive: true });
  for (const filter of catalog.list(name)) {
    const file = join(root, 'catalog/previews', name, `${filter.id}.webp`);
    if (!all && existsSync(file)) continue;
    const { family, params, photo } = kinds[name];
    const result = await run(
      {
        jobId: 'preview',
        family,
        params: filter.modes.includes('single') ? params : { ...params, gender: 4 },
        filter: filter.definition,
        images: [sample(filter.modes.includes('single') ? photo : 'sample4.jpg')],
        scratch,
      },
      { signal: new AbortController().signal, progress: () => {}, handle: null, saveHandle: async () => {} },
    );
    await sharp(result.file).resize({ width: 400 }).webp({ quality: 80 }).toFile(file);
    console.log(`${name} ${filter.id}  ${filter.name}`);
  }
}
rmSync(scratch, { recursive: true, force: true });
