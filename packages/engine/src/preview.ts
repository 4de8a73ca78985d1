import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogName, Mode } from '@guise/contract/catalogs.ts';
import { groupGender } from '@guise/contract/common.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/requests.ts';
import sharp from 'sharp';
import type { RenderEngine } from './engine.ts';
import { readSample, sampleFor, samplePhotos } from './samples.ts';

interface PreviewedFilter {
  modes: readonly Mode[];
  definition: FilterDefinition;
}

/** A filter of the catalog on a sample photo, as a small WebP: what `preview_url` shows. */
export async function renderPreview(
  engine: RenderEngine,
  list: CatalogName,
  filter: PreviewedFilter,
): Promise<Buffer> {
  const single = list === 'face_swap' && filter.modes.includes('single');
  const scratch = await mkdtemp(join(tmpdir(), 'guise-preview-'));
  try {
    const sample = join(scratch, 'sample.jpg');
    const photo = single ? sampleFor(filter.definition) : samplePhotos.fourPeople;
    await writeFile(sample, await readSample(photo));
    const request = { ...requestOf(list, filter, single), images: [sample], scratch };
    const { file } = await engine.render(request, {
      signal: new AbortController().signal,
      progress: () => {},
    });
    return await sharp(file).resize({ width: 400 }).webp({ quality: 80 }).toBuffer();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function requestOf(list: CatalogName, { definition }: PreviewedFilter, single: boolean): GenerationRequest {
  switch (list) {
    case 'face_swap':
      return requestFor('face_swap_v6', { gender: single ? 1 : groupGender, ratio: 'portrait' }, definition);
    case 'realistic':
      return requestFor('multi_swap_v5', { outpaint: false }, definition);
    case 'stylized':
      return requestFor('stylized_multi_swap_v1', { outpaint: false }, definition);
  }
}
