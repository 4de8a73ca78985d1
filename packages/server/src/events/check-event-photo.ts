import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoCheck, PhotoToCheck } from '@guise/contract/events/event-guests.ts';
import type { Offer } from '@guise/contract/events/offers.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { AppError } from '../errors.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import { invalidImage } from '../media/image-errors.ts';
import { readImage } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { isOfOnePerson, resolveOffer } from './event-offers.ts';
import { eventStateOf, refusalOf } from './event-state.ts';
import type { PictureTaskParts } from './picture-task-parts.ts';
import { chosenOffer } from './submit-event-job.ts';

/** A guest's photo before a job is spent on it. */
export interface PhotoInBooth {
  event: EventRow;
  keyId: string | null;
  wanted: Omit<PhotoToCheck, 'image'> & { image: string | Upload };
  signal: AbortSignal;
}

/** Says what is wrong with a photo for what the guest has chosen. Nothing of it is kept. */
export async function checkEventPhoto(
  parts: Pick<SubmitParts, 'db' | 'catalog' | 'fetchUrl' | 'decoder'> & PictureTaskParts,
  { event, keyId, wanted, signal }: PhotoInBooth,
): Promise<PhotoCheck> {
  const now = parts.db.now();
  if (eventStateOf(event, now) !== 'open') throw refusalOf(event, now);
  const offer = chosenOffer(event, wanted.offer_id);
  const { bytes } = await readImage(wanted.image, parts, { accountId: event.account_id, signal });
  return withScratchFolder(parts.scratchDir, async (folder) => {
    const file = join(folder, 'photo');
    await writeFile(file, bytes);
    const taken = isOfOnePerson(offer) ? 'one' : 'everyone';
    const filter = await filterOf(parts, event.account_id, offer);
    const task = { kind: 'check-photo', file, taken, filter } as const;
    const asked = { accountId: event.account_id, part: keyId ?? event.id, signal };
    return parts.pictureTasks.doTask(task, asked).catch(asInvalidImage);
  });
}

/** What an offer makes of a photo: a costume asks for more of it than a scene does. */
async function filterOf(
  parts: Pick<SubmitParts, 'db' | 'catalog'>,
  accountId: string,
  offer: Offer,
): Promise<FilterDefinition | null> {
  try {
    return (await resolveOffer(parts, accountId, offer))?.definition ?? null;
  } catch (error) {
    // A filter that was deleted meanwhile is told when the photo is sent.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** What the header of a file did not show: the photo cannot be decoded. */
function asInvalidImage(error: unknown): never {
  if (error instanceof AppError && error.code === 'ENGINE_REFUSED') throw invalidImage(error.message, error);
  throw error;
}
