import type { FilterDraft } from '@guise/contract/filter-drafts.ts';
import { type DefinitionChecks, storeDefinition } from '../catalog/definitions.ts';
import type { Draft } from '../catalog/filter-renders.ts';
import { newTemplateKey } from '../catalog/templates.ts';
import { readPhotoFile } from '../qa/photo-blobs.ts';
import { photoNotFound } from '../qa/photo-sets.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}

/** Checks a draft as a filter is checked that is saved, and stores its images as blobs of this owner. */
export async function storeDraft(
  parts: Parts,
  accountId: string,
  { filter_type, definition, sample, photo_id, gender }: FilterDraft,
  ownerId: string,
): Promise<Draft> {
  const stored = await storeDefinition(parts, { id: ownerId, accountId }, definition, filter_type);
  const photo = await storeDraftPhoto(parts, accountId, photo_id, ownerId);
  return { filter_type, definition: stored, sample: sample ?? null, photo, gender: gender ?? null };
}

/** Stores a photo of the account's sets as a blob of this owner, if one is asked for. */
export async function storeDraftPhoto(
  parts: Pick<Parts, 'db' | 'blobs'>,
  accountId: string,
  photoId: string | undefined,
  ownerId: string,
): Promise<string | null> {
  if (photoId === undefined) return null;
  const file = await readPhotoFile(parts, accountId, photoId);
  if (!file) throw photoNotFound();
  const key = newTemplateKey(ownerId, 'image/jpeg');
  await parts.blobs.put(key, file);
  return key;
}

/** A draft of a photo whose faces are to be found. */
export async function storeTemplateDraft(
  parts: Parts,
  owner: { id: string; accountId: string },
  image: string,
): Promise<Draft> {
  const definition = await storeDefinition(parts, owner, { kind: 'template', image }, 'face_swap');
  return { filter_type: 'face_swap', definition, sample: null, photo: null, gender: null };
}
