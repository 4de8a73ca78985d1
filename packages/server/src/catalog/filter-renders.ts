import type { FilterType } from '@guise/contract/catalogs.ts';
import type { Ratio } from '@guise/contract/common.ts';
import type { FamilyName } from '@guise/contract/families/families.ts';
import type { SamplePhoto } from '@guise/contract/filter-drafts.ts';
import type { CustomDefinition, FilterDefinition } from '@guise/contract/filters.ts';
import { newId } from '../ids.ts';
import type { Queries } from '../store/db.ts';
import { deletePreviewsOf, insertDraft, insertRender } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';

/** The event that workers subscribe to: a preview or a test waits. */
export const renderWaiting = 'renders';

/** The family that shows what a filter of each type makes. */
export const sampleFamilies = {
  face_swap: 'face_swap_v6',
  multi_swap: 'multi_swap_v5',
} as const satisfies Record<FilterType, FamilyName>;

/** Instead of a picture, the faces of a template. */
export const facesWanted = 'faces';

/** What an engine must make, as a render's row says it. */
export const writeWants = (family: FamilyName, kind: CustomDefinition['kind'] | typeof facesWanted) =>
  `${family}:${kind}`;
export const familyWanted = ({ wants }: Pick<RenderRow, 'wants'>) => wants.split(':')[0] as FamilyName;
export const wantsFaces = ({ wants }: Pick<RenderRow, 'wants'>) => wants.endsWith(`:${facesWanted}`);

/** A definition that is not saved, and the photo to test it on. Images are blobs that belong to the test. */
export interface Draft {
  filter_type: FilterType;
  definition: Exclude<FilterDefinition, { kind: 'look' }>;
  sample: SamplePhoto | null;
  photo: string | null;
  gender: number | null;
  /** Portrait unless told. */
  ratio?: Ratio;
}

/** What is made of a draft: a picture, or the faces of its template. */
export type DraftResult = 'picture' | typeof facesWanted;

/** Enqueues the preview of a filter, in place of that of an earlier version. Part of the transaction that saves the filter. */
export async function enqueuePreview(tx: Queries, filter: CustomFilterRow): Promise<void> {
  await tx.run(deletePreviewsOf, { filter_id: filter.id, account_id: filter.account_id });
  await enqueueRender(tx, filter, 'preview');
}

/** Returns the id of the render. */
export async function enqueueRender(
  tx: Queries,
  { id: filter_id, account_id, filter_type, definition }: CustomFilterRow,
  purpose: RenderRow['purpose'],
): Promise<string> {
  const { kind } = JSON.parse(definition) as CustomDefinition;
  const id = newId();
  const wants = writeWants(sampleFamilies[filter_type], kind);
  await tx.run(insertRender, { id, filter_id, account_id, purpose, wants });
  return id;
}

/** Enqueues the test of a draft. */
export async function enqueueDraft(
  tx: Queries,
  { id, accountId }: { id: string; accountId: string },
  draft: Draft,
  made: DraftResult,
): Promise<void> {
  const kind = made === facesWanted ? facesWanted : draft.definition.kind;
  const wants = writeWants(sampleFamilies[draft.filter_type], kind);
  const row = { id, filter_id: id, account_id: accountId, wants, draft: JSON.stringify(draft) };
  await tx.run(insertDraft, { ...row, purpose: 'try' });
}

/** Enqueues what a version of a filter makes of a photo. The check has the same id. */
export async function enqueueCheck(
  tx: Queries,
  filter: Pick<CustomFilterRow, 'id' | 'account_id'>,
  checkId: string,
  draft: Draft,
): Promise<void> {
  const wants = writeWants(sampleFamilies[draft.filter_type], draft.definition.kind);
  const row = { id: checkId, filter_id: filter.id, account_id: filter.account_id, wants };
  await tx.run(insertDraft, { ...row, purpose: 'check', draft: JSON.stringify(draft) });
}
