import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilterDefinition } from '@guise/contract/filters.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/requests.ts';
import { sampleFor, samplePhotos } from '@guise/engine/samples.ts';
import { sampleFamilies } from '../catalog/filter-renders.ts';
import type { Engine, EngineResult } from '../engines/engine.ts';
import { engineFor } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import type { Blobs } from '../store/blobs.ts';
import type { CustomFilterRow } from '../store/schema.ts';

export const cannotBeTried = (sentence: string, cause?: Error) =>
  new AppError('WORKFLOW_FETCH_FAILED', sentence, { cause });

/** The request that shows what a filter makes, and the photo it is made of. */
export function sampleRequest({
  filter_type,
  definition,
}: Pick<CustomFilterRow, 'filter_type' | 'definition'>): {
  request: GenerationRequest;
  photo: string;
} {
  const parsed = FilterDefinition.safeParse(JSON.parse(definition));
  if (!parsed.success) throw cannotBeTried('This filter cannot be read. Save it again.', parsed.error);
  const filter = parsed.data;
  if (filter_type === 'multi_swap') {
    return {
      request: requestFor(sampleFamilies.multi_swap, { outpaint: false }, filter),
      photo: samplePhotos.twoPeople,
    };
  }
  const params = { gender: 1, ratio: 'portrait', quality_mode: 'v6' } as const;
  return { request: requestFor(sampleFamilies.face_swap, params, filter), photo: sampleFor(filter) };
}

/** What an engine makes of a filter on a sample photo, without a job and without credits. */
export async function renderSample(
  parts: { engines: readonly Engine[]; blobs: Blobs },
  filter: CustomFilterRow,
  scratch: string,
  signal: AbortSignal,
): Promise<EngineResult> {
  const { request: sample, photo } = sampleRequest(filter);
  let definition = sample.filter;
  if (definition?.kind === 'template') {
    const template = join(scratch, 'template');
    const bytes = await parts.blobs.read(definition.image);
    if (!bytes) throw cannotBeTried('The photo of this filter is no longer there. Save it again.');
    await writeFile(template, bytes);
    definition = { ...definition, image: template };
  }
  const request = {
    ...sample,
    filter: definition,
    jobId: `preview-${filter.id}`,
    filterRef: filter.id,
    images: [photo],
    scratch,
  };
  return engineFor(parts.engines, request).run(request, {
    signal,
    progress: () => {},
    handle: null,
    saveHandle: async () => {},
  });
}
