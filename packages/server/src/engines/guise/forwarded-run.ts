import { readFile } from 'node:fs/promises';
import { type AnyParams, type Family, familyOf } from '@guise/contract/families/families.ts';
import type { CustomDefinition, FilterDefinition } from '@guise/contract/filters.ts';
import type { PhotoToSend } from '../../media/decoder.ts';
import { type EngineRequest, engineUnfit } from '../engine.ts';
import type { GuiseClient } from './guise-client.ts';

/** A request as the body that another Guise accepts on the same path. */
export async function forwardedBody(
  client: GuiseClient,
  request: EngineRequest,
  photos: readonly PhotoToSend[],
  signal: AbortSignal,
): Promise<object> {
  const family = familyOf(request.family);
  // Webhooks are sent by the server that accepted the job.
  const { webhook_url: _, ...params }: AnyParams = request.params;
  return {
    ...params,
    ...photoFields(family, photos),
    ...(family.filter && { [family.filter.fields[0]!]: await filterThere(client, family, request, signal) }),
  };
}

function photoFields({ images }: Family, photos: readonly PhotoToSend[]): Record<string, unknown> {
  const texts = photos.map(({ bytes }) => bytes.toString('base64'));
  return Object.fromEntries(
    images.map(([field], i) => [field!, field === 'input_images' ? texts : texts[i]]),
  );
}

/** The catalog is the same there; a custom filter is known only here, so its definition goes along. */
async function filterThere(
  client: GuiseClient,
  family: Family,
  { filter, filterRef }: EngineRequest,
  signal: AbortSignal,
): Promise<number | string> {
  if (filterRef !== null && /^\d+$/.test(filterRef)) return Number(filterRef);
  if (!filter) throw engineUnfit('This job names no filter.');
  const type = family.filter!.catalog === 'face_swap' ? 'face_swap' : 'multi_swap';
  const id = await client.copyFilter(type, await definitionToSend(filter));
  signal.throwIfAborted();
  return id;
}

async function definitionToSend(filter: FilterDefinition): Promise<CustomDefinition> {
  if (filter.kind === 'look') throw engineUnfit('A look alone is no custom filter.');
  if (filter.kind === 'scene' && filter.own) throw engineUnfit('A scene of an account is known only here.');
  if (filter.kind !== 'template') return filter;
  return { ...filter, image: (await readFile(filter.image)).toString('base64') };
}
