import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { catalogNames, loadCatalog } from '../src/catalog/catalog.ts';
import { run } from '../src/engines/local/worker.ts';
import { readSample, samplePhotos } from '../src/engines/samples.ts';

/**
 * Makes the previews of the catalog with the engine itself, on the sample photos: `npm run previews` makes those that
 * are missing, `npm run previews -- --all` all of them.
 */

const root = join(import.meta.dirname, '..');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const kinds = {
  face_swap: {
    family: 'face_swap_v6',
    params: { gender: 1, ratio: 'portrait' },
    photo: samplePhotos.onePerson,
  },
  realistic: { family: 'multi_swap_v5', params: { outpaint: false }, photo: samplePhotos.fourPeople },
  stylized: {
    family: 'stylized_multi_swap_v1',
    params: { outpaint: false },
    photo: samplePhotos.threePeople,
  },
} as const;

const scratch = mkdtempSync(join(tmpdir(), 'guise-previews-'));
const all = process.argv.includes('--all');
for (const name of catalogNames) {
  mkdirSync(join(root, 'catalog/previews', name), { recursive: true });
  for (const filter of catalog.list(name)) {
    const file = join(root, 'catalog/previews', name, `${filter.id}.webp`);
    if (!all && existsSync(file)) continue;
    const { family, params, photo } = kinds[name];
    const sample = join(scratch, 'sample.jpg');
    writeFileSync(
      sample,
      await readSample(filter.modes.includes('single') ? photo : samplePhotos.fourPeople),
    );
    const result = await run(
      {
        jobId: 'preview',
        family,
        params: filter.modes.includes('single') ? params : { ...params, gender: 4 },
        filter: filter.definition,
        images: [sample],
        scratch,
      },
      { signal: new AbortController().signal, progress: () => {}, handle: null, saveHandle: async () => {} },
    );
    await sharp(result.file).resize({ width: 400 }).webp({ quality: 80 }).toFile(file);
    console.log(`${name} ${filter.id}  ${filter.name}`);
  }
}
rmSync(scratch, { recursive: true, force: true });
