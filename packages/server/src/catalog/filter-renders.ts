import type { FamilyName } from '@guise/contract/families.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { newId } from '../ids.ts';
import type { Queries } from '../store/db.ts';
import { deletePreviewsOf, insertRender } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';

/** The event that workers subscribe to: a preview or a test waits. */
export const renderWaiting = 'renders';

/** The family that shows what a filter of each type makes. */
export const sampleFamilies = {
  face_swap: 'face_swap_v6',
  multi_swap: 'multi_swap_v5',
} as const satisfies Record<CustomFilterRow['filter_type'], FamilyName>;

/** What an engine must make, as a render's row says it. */
export const writeWants = (family: FamilyName, kind: CustomDefinition['kind']) => `${family}:${kind}`;
export const familyWanted = ({ wants }: Pick<RenderRow, 'wants'>) => wants.split(':')[0] as FamilyName;

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
