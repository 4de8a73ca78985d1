import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '@guise/contract/catalogs.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import sharp from 'sharp';
import { sampleFor, samplePhotos } from './samples.ts';
import { run } from './worker.ts';

const kinds = {
  face_swap: { family: 'face_swap_v6', params: { gender: 1, ratio: 'portrait' } },
  realistic: { family: 'multi_swap_v5', params: { outpaint: false } },
  stylized: { family: 'stylized_multi_swap_v1', params: { outpaint: false } },
} as const;

type List = keyof typeof kinds;

interface CatalogFilter {
  modes: readonly Mode[];
  definition: FilterDefinition;
}

const showsOnePerson = (list: List, { modes }: CatalogFilter) =>
  list === 'face_swap' && modes.includes('single');

/** The photo that a filter of the catalog is shown on. */
export function previewPhoto(list: List, filter: CatalogFilter): string {
  return showsOnePerson(list, filter) ? sampleFor(filter.definition) : samplePhotos.twoPeople;
}

/** A filter of the catalog on a sample photo, as a small WebP: what `preview_url` shows. */
export async function catalogPreview(list: List, filter: CatalogFilter): Promise<Buffer> {
  const { family, params } = kinds[list];
  const scratch = await mkdtemp(join(tmpdir(), 'guise-preview-'));
  try {
    const { file } = await run(
      {
        jobId: 'preview',
        family,
        params: showsOnePerson(list, filter) ? params : { ...params, gender: 4 },
        filter: filter.definition,
        images: [previewPhoto(list, filter)],
        scratch,
      },
      { signal: new AbortController().signal, progress: () => {}, handle: null, saveHandle: async () => {} },
    );
    return await sharp(file).resize({ width: 400 }).webp({ quality: 80 }).toBuffer();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
