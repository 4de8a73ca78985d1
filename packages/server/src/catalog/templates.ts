import type { FilterDefinition } from '@guise/contract/filters.ts';
import { newId } from '../ids.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilterById } from '../store/filter-records.ts';
import { findLiveJobOfTemplate } from '../store/job-records.ts';

/** The key of a new photo of a template filter. Every version has its own. */
export function newTemplateKey(filterId: string): string {
  return `templates/${filterId}-${newId().slice(-12)}`;
}

/** The key of the photo that a stored definition names, if it is a template. */
export function templateOf(definition: FilterDefinition): string | null {
  return definition.kind === 'template' ? definition.image : null;
}

/** A template is needed by the current version of its filter, and by jobs that were submitted with an earlier one. */
export async function isTemplateNeeded(db: Db, key: string): Promise<boolean> {
  const id = key.slice('templates/'.length).slice(0, 36);
  const filter = await db.one(findCustomFilterById, { id });
  if (filter?.definition.includes(key)) return true;
  return (await db.one(findLiveJobOfTemplate, { template: key })) !== undefined;
}

/** For whoever may have been the last that needed it: an edit, a deletion, or a job that has ended. */
export async function removeUnneededTemplate(
  { db, blobs }: { db: Db; blobs: Blobs },
  key: string | null,
): Promise<void> {
  if (key !== null && !(await isTemplateNeeded(db, key))) await blobs.remove(key);
}
