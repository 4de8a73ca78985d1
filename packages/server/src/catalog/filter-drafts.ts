import type { FilterDraft } from '@guise/contract/filter-drafts.ts';
import { AppError } from '../errors.ts';
import type { Blobs } from '../store/blobs.ts';
import { type DefinitionChecks, storeDefinition } from './definitions.ts';
import type { Draft } from './filter-renders.ts';
import { newTemplateKey } from './templates.ts';

const photoNotFound = () => new AppError('NOT_FOUND', 'There is no photo with this id.');

interface Parts {
  blobs: Blobs;
  checks: DefinitionChecks;
}

/** The file of a photo of the account's photo sets; undefined when it has no such photo. */
export type ReadPhotoFile = (accountId: string, photoId: string) => Promise<Buffer | undefined>;

/** Checks a draft as a filter is checked that is saved, and stores its images as blobs of this owner. */
export async function storeDraft(
  parts: Parts & { readPhotoFile: ReadPhotoFile },
  accountId: string,
  { filter_type, definition, sample, photo_id, gender }: FilterDraft,
  ownerId: string,
): Promise<Draft> {
  const file = photo_id && (await parts.readPhotoFile(accountId, photo_id));
  if (photo_id && !file) throw photoNotFound();
  const stored = await storeDefinition(parts, ownerId, definition);
  const photo = file ? newTemplateKey(ownerId, 'image/jpeg') : null;
  if (file) await parts.blobs.put(photo!, file);
  return { filter_type, definition: stored, sample: sample ?? null, photo, gender: gender ?? null };
}

/** A draft of a photo whose faces are to be found. */
export async function storeTemplateDraft(parts: Parts, image: string, ownerId: string): Promise<Draft> {
  const definition = await storeDefinition(parts, ownerId, { kind: 'template', image });
  return { filter_type: 'face_swap', definition, sample: null, photo: null, gender: null };
}
