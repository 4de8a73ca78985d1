import type { FilterDefinition } from '@guise/contract/filters.ts';
import { newId } from '../ids.ts';
import type { ImageType } from '../media/inspect-image.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCheckOfBlob } from '../store/filter-draft-records.ts';
import { findCustomFilterById, findVersionOfBlob } from '../store/filter-records.ts';
import { findLiveJobOfTemplate } from '../store/job-records.ts';
import { isNamedByScene } from './kept-scenes.ts';

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' } as const;

/** The key of a new photo of a template filter. Every version has its own. */
export function newTemplateKey(filterId: string, type: ImageType): string {
  return `templates/${filterId}-${newId().slice(-12)}.${extensions[type]}`;
}

/** The key of the blob that a stored definition needs: the photo of a template, or the files of an account's scene. */
export function templateOf(definition: FilterDefinition): string | null {
  if (definition.kind === 'scene') return definition.own?.files ?? null;
  return definition.kind === 'template' ? definition.image : null;
}

/**
 * A template is needed by the versions of its filter that are kept, and by jobs that were submitted with another one; the
 * files of a scene by the scene and by jobs that were submitted before it changed.
 */
export async function isTemplateNeeded(db: Db, key: string): Promise<boolean> {
  if (await (key.startsWith('scenes/') ? isNamedByScene(db, key) : isNamedByFilter(db, key))) return true;
  return (await db.one(findLiveJobOfTemplate, { template: key })) !== undefined;
}

/** Whether the filter whose id the key begins with, another version of it or a check of one, names the template or preview. */
export async function isNamedByFilter(db: Db, key: string): Promise<boolean> {
  const id = key.slice(key.indexOf('/') + 1).slice(0, 36);
  const filter = await db.one(findCustomFilterById, { id });
  if (!filter) return false;
  if (filter.definition.includes(key) || filter.previews.includes(key)) return true;
  if (await db.one(findVersionOfBlob, { filter_id: id, pattern: `%${key}%` })) return true;
  return (await db.one(findCheckOfBlob, { filter_id: id, picture: key })) !== undefined;
}

/** For whoever may have been the last that needed it: an edit, a deletion, or a job that has ended. */
export async function removeUnneededTemplate(
  { db, blobs }: { db: Db; blobs: Blobs },
  key: string | null,
): Promise<void> {
  if (key !== null && !(await isTemplateNeeded(db, key))) await blobs.remove(key);
}

/** The same for previews. */
export async function removeUnneededPreviews(
  { db, blobs }: { db: Db; blobs: Blobs },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) if (!(await isNamedByFilter(db, key))) await blobs.remove(key);
}
