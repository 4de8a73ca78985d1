import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import type { EventOverlay } from '@guise/contract/events/events.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Note, Notes } from '@guise/contract/notes.ts';
import type { PictureTaskOf } from '@guise/engine/picture-tasks.ts';
import type { EngineResult } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import { readImage } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { findEventJob } from '../store/events/event-guest-records.ts';
import {
  deleteEventOverlay,
  listEventOverlays,
  putEventOverlay,
} from '../store/events/event-overlay-records.ts';
import { findEvent, findEventById } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import type { JobRow } from '../store/schema.ts';
import { dateOf } from './event-date.ts';
import { settingsOf } from './event-settings.ts';
import { eventNotFound } from './event-state.ts';
import { detailsOf, wordsOf } from './guest-details.ts';
import type { PictureTaskParts } from './picture-task-parts.ts';

type Parts = Pick<SubmitParts, 'db' | 'blobs' | 'fetchUrl' | 'decoder'> & PictureTaskParts;

/** The overlay of one ratio of an account's event. */
export interface OverlayRef {
  id: string;
  account_id: string;
  ratio: Ratio;
}

const newOverlayKey = (id: string) => `overlays/${id.slice(-2)}/${id}.png`;

/** Checks an overlay and stores it at the size of its canvas, in the place of an earlier one. */
export async function storeOverlay(
  parts: Parts,
  { ratio, ...own }: OverlayRef,
  image: string | Upload,
  signal: AbortSignal,
): Promise<void> {
  const { db, blobs } = parts;
  await assertOwn(db, own);
  const { bytes, type } = await readImage(image, parts, { accountId: own.account_id, signal });
  if (type !== 'image/png') throw wrongOverlay('The overlay must be a PNG file.');
  const key = newOverlayKey(newId(db.now()));
  await withScratchFolder(parts.scratchDir, async (folder) => {
    const [file, output] = [join(folder, 'overlay'), join(folder, 'prepared.png')];
    await writeFile(file, bytes);
    const task = { kind: 'prepare-overlay', file, ratio, output } as const;
    const asked = { accountId: own.account_id, signal };
    await parts.pictureTasks.doTask(task, asked).catch(asWrongOverlay);
    await blobs.put(key, createReadStream(output));
  });
  const former = await db.transaction(async (tx) => {
    await assertOwn(tx, own);
    const before = await tx.all(listEventOverlays, { event_id: own.id });
    await tx.run(putEventOverlay, { event_id: own.id, ratio, blob_key: key, updated_at: db.now() });
    return before.find((row) => row.ratio === ratio)?.blob_key;
  });
  if (former !== undefined) await blobs.remove(former);
}

/** Removing what is not there is no error. */
export async function removeOverlay(
  { db, blobs }: { db: Db; blobs: Blobs },
  { ratio, ...own }: OverlayRef,
): Promise<void> {
  await assertOwn(db, own);
  const removed = await db.one(deleteEventOverlay, { event_id: own.id, ratio });
  if (removed) await blobs.remove(removed.blob_key);
}

export async function readOverlays(
  db: Queries,
  eventId: string,
  linkTo: (key: string) => string,
): Promise<EventOverlay[]> {
  const rows = await db.all(listEventOverlays, { event_id: eventId });
  return rows.map(({ ratio, blob_key, updated_at }) => ({
    ratio,
    url: linkTo(blob_key),
    updated_at: isoTime(updated_at),
  }));
}

/** An event that has been erased has nothing laid over anything. */
async function assertOwn(db: Queries, own: { id: string; account_id: string }): Promise<void> {
  const event = await db.one(findEvent, own);
  if (!event) throw eventNotFound();
  if (event.erasure_begun_at !== null)
    throw new AppError('EVENT_ENDED', 'This event was erased and cannot be changed.');
}

function wrongOverlay(sentence: string, cause?: unknown): AppError {
  const fields = [{ path: 'image', message: sentence }];
  return new AppError('VALIDATION_ERROR', sentence, { fields, cause });
}

function asWrongOverlay(error: unknown): never {
  if (error instanceof AppError && error.code === 'ENGINE_REFUSED') throw wrongOverlay(error.message, error);
  throw error;
}

const reasons = {
  'covers a face': 'it would cover a face',
  'none of this shape': 'the event has none for pictures of this shape',
} as const;

/** Lays the overlay of a job's event over its result, and notes that, or why it was not done. */
export async function layEventOverlay(
  parts: { db: Db; blobs: Blobs } & PictureTaskParts,
  { id, event_id }: Pick<JobRow, 'id' | 'event_id'>,
  result: EngineResult,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<EngineResult> {
  if (event_id === null) return result;
  const [event, rows] = await Promise.all([
    parts.db.one(findEventById, { id: event_id }),
    parts.db.all(listEventOverlays, { event_id }),
  ]);
  if (!event) return result;
  const { ratios: offered, branding } = settingsOf(event);
  const { overlay_texts: texts = [] } = branding;
  if (rows.length === 0 && texts.length === 0) return result;
  if (result.type !== 'image/png') {
    const note = {
      kind: 'overlay',
      value: 'video',
      reason: 'overlays are laid over pictures alone',
    } as const;
    return { ...result, ignored: [...result.ignored, note] };
  }
  const overlays = await fetchOverlays(parts.blobs, rows, scratch);
  const output = join(scratch, 'result-with-overlay.png');
  const written = texts.length > 0 ? { texts, content: await readContent(parts.db, id, event) } : null;
  const task = { kind: 'lay-overlay', file: result.file, overlays, offered, written, output } as const;
  const { ratio, refused, cropped, hasTextAlone } = await parts.pictureTasks.doTask(task, {
    accountId: null,
    signal,
  });
  if (hasTextAlone) return { ...result, file: output };
  if (refused !== undefined && rows.length === 0) return result;
  if (refused !== undefined) {
    const note = { kind: 'overlay', value: ratio, reason: reasons[refused] } as const;
    return { ...result, ignored: [...result.ignored, note] };
  }
  const { width, height } = canvasSizes[ratio];
  const crop: Note[] = cropped ? [{ kind: 'crop', value: `${width}×${height}` }] : [];
  const applied: Note[] = [...result.applied, { kind: 'overlay', value: ratio }, ...crop];
  return { ...result, file: output, applied };
}

/** The shape of the overlay that was laid over a job's result; null for none. */
export function laidRatioOf({ result_notes }: Pick<JobRow, 'result_notes'>): Ratio | null {
  const { applied } = JSON.parse(result_notes ?? '{"applied":[]}') as Pick<Notes, 'applied'>;
  const laid = applied.find((note) => note.kind === 'overlay');
  return laid && laid.value !== 'video' ? laid.value : null;
}

type WrittenTexts = NonNullable<PictureTaskOf<'lay-overlay'>['written']>;

/** What stands for the places of texts over a picture: of the event, and what the picture's guest gave. */
async function readContent(db: Db, job_id: string, event: EventRow): Promise<WrittenTexts['content']> {
  const row = await db.one(findEventJob, { job_id });
  const { details } = settingsOf(event);
  const words = row ? wordsOf(details, detailsOf(row), row.consent_language) : {};
  return { title: event.name, date: dateOf(event), words };
}

/** The overlays as files in a folder, by ratio. One that was replaced meanwhile is left out. */
export async function fetchOverlays(
  blobs: Blobs,
  rows: readonly { ratio: Ratio; blob_key: string }[],
  folder: string,
): Promise<Partial<Record<Ratio, string>>> {
  const fetched = rows.map(async ({ ratio, blob_key }) => {
    const bytes = await blobs.read(blob_key);
    if (!bytes) return [];
    const path = join(folder, `overlay-${ratio}.png`);
    await writeFile(path, bytes);
    return [[ratio, path] as const];
  });
  return Object.fromEntries((await Promise.all(fetched)).flat());
}
