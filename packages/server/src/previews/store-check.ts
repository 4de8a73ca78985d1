import { qualityAnswerOf } from '@guise/contract/quality.ts';
import { removeUnneededPreviews } from '../catalog/templates.ts';
import type { EngineResult } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { RunParts } from '../jobs/run-job.ts';
import { endCheck, setFirstPreview, touchDraft } from '../store/filter-draft-records.ts';
import type { FilterCheckRow } from '../store/qa/qa-schema.ts';
import { deletePreview } from '../store/render-records.ts';
import type { RenderRow } from '../store/schema.ts';
import { writePreview } from './write-preview.ts';

type Found = Pick<FilterCheckRow, 'outcome' | 'picture'> & { sentences: string[] };

/** Stores what the judge of pictures says of a check. Only what was made of a sample photo is kept. */
export async function storeCheck(
  parts: RunParts,
  render: RenderRow,
  { result, isSample, signal }: { result: EngineResult; isSample: boolean; signal: AbortSignal },
): Promise<void> {
  const { grade, reasons } = qualityAnswerOf(result.quality ?? { grade: 'good', reasons: [] });
  let picture: string | null = null;
  if (isSample) {
    picture = `previews/${render.filter_id}-${newId().slice(-12)}.webp`;
    const asked = { accountId: render.account_id, signal };
    await parts.blobs.put(picture, await writePreview(parts.decoder, result.file, asked), signal);
  }
  const outcome = grade === 'good' ? 'passed' : 'warned';
  await writeFound(parts, render, { outcome, sentences: reasons, picture });
  // The version may be gone.
  if (picture !== null) await removeUnneededPreviews(parts, [picture]);
}

/** Stores why nothing was made. What broke the server says nothing about the version. */
export async function storeFailedCheck(parts: RunParts, render: RenderRow, error: unknown): Promise<void> {
  const found: Found =
    error instanceof AppError
      ? { outcome: 'failed', sentences: [error.message], picture: null }
      : { outcome: 'warned', sentences: ['This photo could not be checked. Check again.'], picture: null };
  await writeFound(parts, render, found);
}

async function writeFound(
  { db, changes }: RunParts,
  { id, claim, account_id }: RenderRow,
  { sentences, ...found }: Found,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Whoever has lost the claim writes nothing.
    if ((await tx.run(deletePreview, { id, claim })) === 0) return;
    const ended = await tx.one(endCheck, { ...found, id, sentences: JSON.stringify(sentences) });
    if (!ended) return;
    await tx.run(touchDraft, { id: ended.filter_id, version: ended.version, now: db.now() });
    if (found.picture !== null)
      await tx.run(setFirstPreview, { ...ended, previews: JSON.stringify([found.picture]) });
  });
  changes.publish(account_id);
}
