import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { sampleFor, samplePhotos } from '@guise/engine/samples.ts';
import type { Logger } from 'pino';
import type { Engine, EngineResult } from '../engines/engine.ts';
import { engineFor } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilterById, setPreviews } from '../store/filter-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';

export interface Previews {
  /** Makes the filter's preview in the background, after those asked for before. */
  make(filterId: string): void;
  /** What the filter makes of a sample photo, at full size. */
  try(filter: CustomFilterRow): Promise<Tried>;
  stop(): Promise<void>;
}

export interface Tried {
  png: Buffer;
  applied: string[];
  ignored: string[];
}

interface Parts {
  db: Db;
  blobs: Blobs;
  engines: readonly Engine[];
  scratchDir: string;
  log: Logger;
}

const width = 480;

export const cannotBeTried = (sentence: string, cause?: AppError) =>
  new AppError('WORKFLOW_FETCH_FAILED', sentence, { cause });

/** A custom filter is shown by what an engine makes of it on a sample photo, without a job and without credits. */
export function filterPreviews(parts: Parts): Previews & {
  /** As `make`, and returns when it is made, or cannot be. */
  made(filterId: string): Promise<void>;
} {
  const stop = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const made = (filterId: string) => {
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
      const tried = last.then(() => tryOne(parts, filter, stop.signal));
      last = tried.then(
        () => {},
        () => {},
      );
      return tried;
    },
    made,
    make: (filterId) => void made(filterId),
    async stop() {
      stop.abort('shutdown');
      await last;
    },
  };
}

async function tryOne(parts: Parts, filter: CustomFilterRow, signal: AbortSignal) {
  const scratch = join(parts.scratchDir, `try-${newId()}`);
  await mkdir(scratch, { recursive: true });
  try {
    const { file, applied, ignored } = await render(parts, filter, scratch, signal);
    return { png: await readFile(file), applied, ignored };
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
    const unneeded = rows === 1 ? (JSON.parse(filter.previews) as string[]) : [key];
    for (const old of unneeded) await parts.blobs.remove(old);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The job that shows what a filter makes. */
export function shownBy({ filter_type, definition }: Pick<CustomFilterRow, 'filter_type' | 'definition'>) {
  return filter_type === 'face_swap'
    ? {
        family: 'face_swap_v6',
        params: { gender: 1, ratio: 'portrait', quality_mode: 'v6' },
        sample: sampleFor(JSON.parse(definition) as FilterDefinition),
      }
    : { family: 'multi_swap_v5', params: { outpaint: false }, sample: samplePhotos.twoPeople };
}

async function render(
  parts: Parts,
  filter: CustomFilterRow,
  scratch: string,
  signal: AbortSignal,
): Promise<EngineResult> {
  const definition = JSON.parse(filter.definition) as FilterDefinition;
  if (definition.kind === 'template') {
    const template = join(scratch, 'template');
    const bytes = await parts.blobs.read(definition.image);
    if (!bytes) throw new Error('the template is gone');
    await writeFile(template, bytes);
    definition.image = template;
  }
  const { family, params, sample } = shownBy(filter);
  const request = {
    jobId: `preview-${filter.id}`,
    family,
    params,
    filter: definition,
    filterRef: filter.id,
    images: [sample],
    scratch,
  };
  return engineFor(parts.engines, request).run(request, {
    signal,
    progress: () => {},
    handle: null,
    saveHandle: async () => {},
  });
}
