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
  const file = photo_id && (await readPhotoFile(parts, accountId, photo_id));
  if (photo_id && !file) throw photoNotFound();
  const stored = await storeDefinition(parts, ownerId, definition, filter_type);
  const photo = file ? newTemplateKey(ownerId, 'image/jpeg') : null;
  if (file) await parts.blobs.put(photo!, file);
  return { filter_type, definition: stored, sample: sample ?? null, photo, gender: gender ?? null };
}

/** A draft of a photo whose faces are to be found. */
export async function storeTemplateDraft(parts: Parts, image: string, ownerId: string): Promise<Draft> {
  const definition = await storeDefinition(parts, ownerId, { kind: 'template', image }, 'face_swap');
  return { filter_type: 'face_swap', definition, sample: null, photo: null, gender: null };
}
