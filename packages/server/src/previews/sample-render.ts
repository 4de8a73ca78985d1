import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterType } from '@guise/contract/catalogs.ts';
import type { Ratio } from '@guise/contract/common.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/families/requests.ts';
import type { SamplePhoto } from '@guise/contract/filter-drafts.ts';
import { FilterDefinition } from '@guise/contract/filters.ts';
import { castFor, sampleFor, samplePhotos } from '@guise/engine/samples.ts';
import { fetchDefinition } from '../catalog/fetch-definition.ts';
import { type Draft, sampleFamilies } from '../catalog/filter-renders.ts';
import { keepScene } from '../catalog/kept-scenes.ts';
import type { Engine, EngineResult } from '../engines/engine.ts';
import { engineFor } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import type { Decoder } from '../media/decoder.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';

export const cannotBeTried = (sentence: string, cause?: Error) =>
  new AppError('WORKFLOW_FETCH_FAILED', sentence, { cause });

const photoIsGone = 'The photo of this filter is no longer there. Save it again.';
const photoWasRemoved = 'This photo was removed from its set.';

/** A filter definition and the photo to render it on. Without one, the sample photo that shows such a filter well. */
export interface SampleInput {
  /** Of the filter, or of the test of what is not saved. */
  id: string;
  filter_type: FilterType;
  /** As JSON. */
  definition: string;
  sample?: SamplePhoto | null;
  /** The blob key of another photo. */
  photo?: string | null;
  gender?: number | null;
  ratio?: Ratio;
  /** Whose turn of the cast it is, where no photo is chosen; without it, always the same photo. */
  turn?: number;
}

/** What a render shows: its own draft, or the filter. */
export function sampleInputOf(
  render: RenderRow,
  filter: CustomFilterRow | undefined,
): SampleInput | undefined {
  if (render.draft === null) return filter && { ...filter, turn: turnOf(filter.id) };
  const draft = JSON.parse(render.draft) as Draft;
  return { ...draft, id: render.id, definition: JSON.stringify(draft.definition) };
}

/** The filters of an account are shown on several people, and each on the same one every time. */
const turnOf = (id: string) => Number.parseInt(id.slice(-4), 16);

const samples = {
  one_person: samplePhotos.onePerson,
  head: samplePhotos.head,
  two_people: samplePhotos.twoPeople,
  man: samplePhotos.man,
  woman: samplePhotos.woman,
  older_woman: samplePhotos.olderWoman,
} as const satisfies Record<SamplePhoto, string>;

/** The request that shows what a filter makes, and the sample photo it is made of. */
export function sampleRequest({
  filter_type,
  definition,
  sample,
  gender,
  ratio = 'portrait',
  turn,
}: Omit<SampleInput, 'id'>): {
  request: GenerationRequest;
  photo: string;
} {
  const parsed = FilterDefinition.safeParse(JSON.parse(definition));
  if (!parsed.success) throw cannotBeTried('This filter cannot be read. Save it again.', parsed.error);
  const filter = parsed.data;
  const chosen = sample && samples[sample];
  if (filter_type === 'multi_swap') {
    return {
      request: requestFor(sampleFamilies.multi_swap, { outpaint: false }, filter),
      photo: chosen ?? samplePhotos.twoPeople,
    };
  }
  const shown = turn === undefined ? { photo: sampleFor(filter), gender: 1 } : castFor(filter, turn);
  const who = chosen ? (sample === 'man' ? 0 : 1) : shown.gender;
  const params = { gender: gender ?? who, ratio, quality_mode: 'v6' } as const;
  return {
    request: requestFor(sampleFamilies.face_swap, params, filter),
    photo: chosen ?? shown.photo,
  };
}

interface SampleParts {
  db: Db;
  engines: readonly Engine[];
  blobs: Blobs;
  decoder: Decoder;
  installationId: string;
}

/** What an engine makes of a filter on a photo, without a job and without credits. */
export async function renderSample(
  parts: SampleParts,
  input: SampleInput & { accountId: string },
  scratch: string,
  signal: AbortSignal,
): Promise<EngineResult> {
  const { request: sample, photo } = sampleRequest(input);
  const definition = sample.filter && (await keepScene(parts.db, input.accountId, sample.filter));
  const fetchBlob = (key: string, name: string) => copyBlob(parts.blobs, key, join(scratch, name));
  const request = {
    ...sample,
    filter: definition && (await fetchDefinition(definition, fetchBlob, scratch)),
    jobId: `preview-${input.id}`,
    filterRef: input.id,
    images: [
      input.photo ? await copyBlob(parts.blobs, input.photo, join(scratch, 'photo'), photoWasRemoved) : photo,
    ],
    scratch,
    via: [parts.installationId],
    // A preview costs nothing, and nobody was asked whether its photo may go to a company.
    photosStay: true,
  };
  return engineFor(parts.engines, request).run(request, {
    signal,
    progress: () => {},
    decoder: parts.decoder.forJob(signal),
    handle: null,
    saveHandle: async () => {},
  });
}

/** Writes a blob to a file for an engine, and returns the file. */
export async function copyBlob(
  blobs: Blobs,
  key: string,
  file: string,
  ifGone = photoIsGone,
): Promise<string> {
  const bytes = await blobs.read(key);
  if (!bytes) throw cannotBeTried(ifGone);
  await writeFile(file, bytes);
  return file;
}
