import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogName, Mode } from '@guise/contract/catalogs.ts';
import { groupGender } from '@guise/contract/common.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import sharp from 'sharp';
import type { RenderEngine } from './engine.ts';
import { castFor, samplePhotos } from './samples.ts';

interface PreviewedFilter {
  modes: readonly Mode[];
  definition: FilterDefinition;
}

const showsOnePerson = (list: CatalogName, { modes }: PreviewedFilter) =>
  list === 'face_swap' && modes.includes('single');

/** The photo that a filter of the catalog is shown on: the cast takes turns. */
export function previewPhoto(list: CatalogName, filter: PreviewedFilter, turn: number): string {
  return showsOnePerson(list, filter) ? castFor(filter.definition, turn).photo : samplePhotos.twoPeople;
}

/** A filter of the catalog on a sample photo, as a small WebP: what `preview_url` shows. */
export async function renderPreview(
  engine: RenderEngine,
  list: CatalogName,
  filter: PreviewedFilter,
  turn: number,
): Promise<Buffer> {
  const scratch = await mkdtemp(join(tmpdir(), 'guise-preview-'));
  try {
    const gender = showsOnePerson(list, filter) ? castFor(filter.definition, turn).gender : groupGender;
    const request = requestOf(list, filter, gender);
    const { file } = await engine.render(
      { ...request, images: [previewPhoto(list, filter, turn)], scratch },
      { signal: new AbortController().signal, progress: () => {} },
    );
    return await sharp(file).resize({ width: 400 }).webp({ quality: 80 }).toBuffer();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function requestOf(list: CatalogName, { definition }: PreviewedFilter, gender: number): GenerationRequest {
  switch (list) {
    case 'face_swap':
      return requestFor('face_swap_v6', { gender, ratio: 'portrait' }, definition);
    case 'realistic':
      return requestFor('multi_swap_v5', { outpaint: false }, definition);
    case 'stylized':
      return requestFor('stylized_multi_swap_v1', { outpaint: false }, definition);
  }
}
