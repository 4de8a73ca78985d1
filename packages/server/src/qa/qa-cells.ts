import type { QaCell, QaCellChange } from '@guise/contract/qa-runs.ts';
import type { Admission } from '../admission/admission.ts';
import { AppError } from '../errors.ts';
import { hasEnded } from '../jobs/read.ts';
import { thumbnailKeyOf } from '../jobs/results/result-keys.ts';
import { pictureKeyOf, testStatusOf } from '../jobs/results/test-status.ts';
import { readQuality } from '../jobs/stored-notes.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import type { Db } from '../store/db.ts';
import { findJob } from '../store/job-records.ts';
import {
  findQaCell,
  judgeCell,
  type ListedCell,
  listQaCells,
  setCellError,
  setCellJob,
} from '../store/qa/qa-run-records.ts';
import type { QaCellRow, QaRunRow } from '../store/qa/qa-schema.ts';
import { readPhotoFile } from './photo-blobs.ts';
import { linksOf, type PhotoLinks, sampleLinksOf } from './photo-links.ts';
import { findSample } from './sample-set.ts';
import { submitTest } from './submit-test.ts';

export const qaCellNotFound = () => new AppError('QA_RUN_NOT_FOUND', 'This QA run has no cell with this id.');
const photoRemoved = () =>
  new AppError('PHOTO_NOT_FOUND', 'The photo of this cell was removed from its set.');

/** A cell without a job is being submitted; after this time, whoever did so is gone. */
const submittedWithinMs = 60_000;
const notSubmitted = 'This was not submitted. Retry it.';

/** What cells are submitted with. */
export interface QaParts extends SubmitParts {
  admission: Pick<Admission, 'qa_cells'>;
}

/** Submits a job for every cell that has none. Where one is refused, its cell says why, and can be retried. */
export async function submitCells(parts: QaParts, run: QaRunRow, keyId: string | null): Promise<void> {
  const cells = await parts.db.all(listQaCells, { run_id: run.id, account_id: run.account_id });
  const missing = cells.filter((cell) => cell.job_id === null);
  const left = missing.values();
  const submitNext = async () => {
    for (const cell of left) await trySubmit(parts, run, cell, keyId);
  };
  await Promise.all(Array.from({ length: parts.admission.qa_cells.limits.atOnceOfOwner }, submitNext));
}

async function trySubmit(
  parts: QaParts,
  run: QaRunRow,
  cell: QaCellRow,
  keyId: string | null,
): Promise<void> {
  try {
    await parts.admission.qa_cells.run(run.account_id, () => submitCell(parts, run, cell, keyId));
  } catch (error) {
    const known = error instanceof AppError ? error : null;
    // Somebody else has submitted it.
    if (known?.code === 'CHANGED_ELSEWHERE') return;
    if (!known) parts.log.error({ err: error, cell: cell.id }, 'a QA cell could not be submitted');
    const { id, submits } = cell;
    await parts.db.run(setCellError, { id, submits, error: known?.message ?? notSubmitted });
  }
}

async function submitCell(
  parts: SubmitParts,
  run: QaRunRow,
  cell: QaCellRow,
  keyId: string | null,
): Promise<void> {
  const photo = await readPhotoFile(parts, run.account_id, cell.photo_id);
  if (!photo) throw photoRemoved();
  await submitTest(parts, {
    accountId: run.account_id,
    keyId,
    filter: { id: run.filter_id, filter_type: run.filter_type },
    version: cell.version,
    photo,
    async onAccept(tx, job_id) {
      const { id, submits } = cell;
      if ((await tx.run(setCellJob, { id, submits, job_id })) === 0) throw changedElsewhere();
    },
  });
}

/** Submits a cell anew once its job has ended: charged again, and judged again. A cell whose job is live stays as it is. */
export async function retryCell(
  parts: SubmitParts,
  run: QaRunRow,
  cellId: string,
  keyId: string | null,
): Promise<void> {
  const { id: run_id, account_id } = run;
  const cell = await parts.db.one(findQaCell, { id: cellId, run_id, account_id });
  if (!cell) throw qaCellNotFound();
  const job = cell.job_id === null ? undefined : await parts.db.one(findJob, { id: cell.job_id, account_id });
  if (job && !hasEnded(job)) return;
  await submitCell(parts, run, cell, keyId);
}

/** A person's verdict or note. */
export async function changeCell(
  db: Db,
  run: Pick<QaRunRow, 'id' | 'account_id'>,
  cellId: string,
  change: QaCellChange,
  check: Precondition,
): Promise<void> {
  const ref = { id: cellId, run_id: run.id, account_id: run.account_id };
  for (;;) {
    const cell = await db.one(findQaCell, ref);
    if (!cell) throw qaCellNotFound();
    check(cell.revision);
    const { id, account_id, revision } = cell;
    const verdict = change.verdict === undefined ? cell.verdict : change.verdict;
    const changed = { id, account_id, revision, verdict, note: change.note ?? cell.note };
    if ((await db.run(judgeCell, changed)) === 1) return;
  }
}

/** Links for a cell: to photos, and to results while they are kept. */
export interface CellLinks extends PhotoLinks {
  toResult(key: string, expiresAt: number): string;
}

export function cellOf(run: QaRunRow, row: ListedCell, links: CellLinks, now: number): QaCell {
  const { id, version, job_id, verdict, note } = row;
  const job =
    row.job_state === null
      ? undefined
      : { state: row.job_state, result_key: row.job_result_key, expires_at: row.job_expires_at! };
  const problem =
    row.error ?? (job_id === null && run.created_at < now - submittedWithinMs ? notSubmitted : null);
  const unsubmitted = problem === null ? 'QUEUED' : 'FAILED';
  const picture = pictureKeyOf(job, now);
  return {
    id,
    photo: photoOfCell(row, links),
    version,
    job_id,
    status: job_id === null ? unsubmitted : testStatusOf(job, now),
    progress: row.job_progress ?? 0,
    thumbnail_url: picture && links.toResult(thumbnailKeyOf(job!.result_key!), job!.expires_at),
    result_url: picture && links.toResult(picture, job!.expires_at),
    error: problem ?? row.job_error,
    quality: readQuality(row.job_result_notes),
    verdict,
    note,
    etag: `"${row.revision}"`,
  };
}

function photoOfCell(row: ListedCell, links: PhotoLinks): QaCell['photo'] {
  const sample = findSample(row.photo_id);
  const found = sample
    ? sampleLinksOf(sample, links)
    : row.kept_photo_id === null
      ? { url: null, thumbnail_url: null }
      : linksOf(row.photo_id, links);
  return { id: row.photo_id, name: row.photo_name, people: row.people, ...found };
}
