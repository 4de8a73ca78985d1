import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilterDefinition } from '@guise/contract/filters.ts';
import { type Sentences, sentencesOf } from '@guise/contract/notes.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/requests.ts';
import { sampleFor, samplePhotos } from '@guise/engine/samples.ts';
import type { Logger } from 'pino';
import { abortWith } from '../engines/abort.ts';
import type { Engine, EngineResult } from '../engines/engine.ts';
import { engineFor } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilterById, previewKeysOf, setPreviews } from '../store/filter-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';

export interface Previews {
  /** Makes the filter's preview in the background, after those asked for before. */
  make(filterId: string): void;
  /** What the filter makes of a sample photo, at full size. */
  try(filter: CustomFilterRow): Promise<FilterTrial>;
  stop(): Promise<void>;
}

/** Previews in a process that has engines. */
export interface EnginePreviews extends Previews {
  /** As `make`, and returns when it is made, or cannot be. */
  finished(filterId: string): Promise<void>;
}

export interface FilterTrial extends Sentences {
  png: Buffer;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  engines: readonly Engine[];
  scratchDir: string;
  log: Logger;
}

const width = 480;

export const cannotBeTried = (sentence: string, cause?: Error) =>
  new AppError('WORKFLOW_FETCH_FAILED', sentence, { cause });

/** A custom filter is shown by what an engine makes of it on a sample photo, without a job and without credits. */
export function filterPreviews(parts: Parts): EnginePreviews {
  const stop = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const finished = (filterId: string) => {
    last = last
      .then(() => (stop.signal.aborted ? undefined : makeOne(parts, filterId, stop.signal)))
      .catch((error) => {
        if (!stop.signal.aborted)
          parts.log.warn({ err: error, filter: filterId }, 'no preview could be made');
      });
    return last;
  };
  return {
    async try(filter) {
      const trial = last.then(() => tryOne(parts, filter, stop.signal));
      last = trial.then(
        () => {},
        () => {},
      );
      return trial;
    },
    finished,
    make: (filterId) => void finished(filterId),
    async stop() {
      abortWith(stop, 'shutdown');
      await last;
    },
  };
}

async function tryOne(parts: Parts, filter: CustomFilterRow, signal: AbortSignal) {
  const scratch = join(parts.scratchDir, `try-${newId()}`);
  await mkdir(scratch, { recursive: true });
  try {
    const { file, ...notes } = await render(parts, filter, scratch, signal);
    return { png: await readFile(file), ...sentencesOf(notes) };
  } catch (error) {
    throw error instanceof AppError ? cannotBeTried(error.message, error) : error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeOne(parts: Parts, filterId: string, signal: AbortSignal): Promise<void> {
  const filter = await parts.db.one(findCustomFilterById, { id: filterId });
  if (!filter) return;
  const scratch = join(parts.scratchDir, `preview-${filterId}`);
  await mkdir(scratch, { recursive: true });
  try {
    const { file } = await render(parts, filter, scratch, signal);
    const key = `previews/${filter.id}-${newId().slice(-12)}.webp`;
    const { default: sharp } = await import('sharp');
    await parts.blobs.put(key, await sharp(file).resize({ width }).webp({ quality: 82 }).toBuffer());
    // The definition may have changed meanwhile: its own preview is on the way then.
    const rows = await parts.db.run(setPreviews, {
      id: filter.id,
      previews: JSON.stringify([key]),
      definition: filter.definition,
    });
    const unneeded = rows === 1 ? previewKeysOf(filter) : [key];
    for (const old of unneeded) await parts.blobs.remove(old);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

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
      request: requestFor('multi_swap_v5', { outpaint: false }, filter),
      photo: samplePhotos.twoPeople,
    };
  }
  const params = { gender: 1, ratio: 'portrait', quality_mode: 'v6' } as const;
  return { request: requestFor('face_swap_v6', params, filter), photo: sampleFor(filter) };
}

async function render(
  parts: Parts,
  filter: CustomFilterRow,
  scratch: string,
  signal: AbortSignal,
): Promise<EngineResult> {
  const { request: sample, photo } = sampleRequest(filter);
  let definition = sample.filter;
  if (definition?.kind === 'template') {
    const template = join(scratch, 'template');
    const bytes = await parts.blobs.read(definition.image);
    if (!bytes) throw new Error('the template is gone');
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
