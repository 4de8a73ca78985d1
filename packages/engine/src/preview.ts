import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '@guise/contract/catalogs.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import sharp from 'sharp';
import { readSample, sampleFor, samplePhotos } from './samples.ts';
import { run } from './worker.ts';

const kinds = {
  face_swap: { family: 'face_swap_v6', params: { gender: 1, ratio: 'portrait' } },
  realistic: { family: 'multi_swap_v5', params: { outpaint: false } },
  stylized: { family: 'stylized_multi_swap_v1', params: { outpaint: false } },
} as const;

/** A filter of the catalog on a sample photo, as a small WebP: what `preview_url` shows. */
export async function catalogPreview(
  list: keyof typeof kinds,
  filter: { modes: readonly Mode[]; definition: FilterDefinition },
): Promise<Buffer> {
  const { family, params } = kinds[list];
  const single = list === 'face_swap' && filter.modes.includes('single');
  const scratch = await mkdtemp(join(tmpdir(), 'guise-preview-'));
  try {
    const sample = join(scratch, 'sample.jpg');
    const photo = single ? sampleFor(filter.definition) : samplePhotos.fourPeople;
    await writeFile(sample, await readSample(photo));
    const { file } = await run(
      {
        jobId: 'preview',
        family,
        params: single ? params : { ...params, gender: 4 },
        filter: filter.definition,
        images: [sample],
        scratch,
      },
      { signal: new AbortController().signal, progress: () => {}, handle: null, saveHandle: async () => {} },
    );
    return await sharp(file).resize({ width: 400 }).webp({ quality: 80 }).toBuffer();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
