import type { Page } from '@guise/contract/jobs.ts';
import type { NewQaRun, QaRun, QaRunEntry, QaRunList } from '@guise/contract/qa-runs.ts';
import { z } from 'zod';
import { limitReached } from '../catalog/limit-reached.ts';
import { assertCanPay } from '../credits/ledger.ts';
import { AppError } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { KeepKey } from '../jobs/create-once.ts';
import { cancel, type EndParts } from '../jobs/end.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Db } from '../store/db.ts';
import { readJson } from '../store/json-column.ts';
import {
  countQaRuns,
  countVerdicts,
  deleteQaCells,
  deleteQaRun,
  findQaRun,
  insertQaCell,
  insertQaRun,
  listQaCells,
  listQaRuns,
} from '../store/qa/qa-run-records.ts';
import type { QaRunRow } from '../store/qa/qa-schema.ts';
import { planQaRun, type QaPlan } from './plan-qa-run.ts';
import { type CellLinks, cellOf, type QaParts, submitCells } from './qa-cells.ts';

const qaRunNotFound = () => new AppError('QA_RUN_NOT_FOUND', 'There is no QA run with this id.');

/** An account may have as many. */
const mostRuns = 1000;

/** Who pays for the cells. */
export interface Submitter {
  accountId: string;
  /** Null for a session. */
  keyId: string | null;
}

/** Makes a run and submits its cells. Nothing is made when account or key cannot pay for all of them. Returns the id. */
export async function createQaRun(
  parts: QaParts,
  submitter: Submitter,
  wanted: NewQaRun,
  keepKey: KeepKey,
): Promise<string> {
  const { db } = parts;
  const { accountId, keyId } = submitter;
  const plan = await planQaRun(parts, accountId, wanted);
  await assertCanPay(db, submitter, plan.price);
  const run = rowOf(plan, accountId, db.now());
  await db.transaction(async (tx) => {
    await keepKey(tx, run.id);
    const { count } = (await tx.one(countQaRuns, { account_id: accountId }))!;
    if (count >= mostRuns) throw limitReached(mostRuns, 'QA runs');
    await tx.run(insertQaRun, run);
    for (const cell of cellsOf(plan, run)) await tx.run(insertQaCell, cell);
  });
  await submitCells(parts, run, keyId);
  return run.id;
}

/** What is left to submit of a run whose request is repeated: the process that began it may have ended. */
export async function resumeQaRun(
  parts: QaParts,
  { accountId, keyId }: Submitter,
  id: string,
): Promise<void> {
  await submitCells(parts, await findRun(parts.db, accountId, id), keyId);
}

function rowOf(plan: QaPlan, account_id: string, now: number): QaRunRow {
  const { filter, photoSet } = plan;
  return {
    id: newId(now),
    account_id,
    filter_id: filter.id,
    filter_name: filter.name,
    filter_type: filter.filter_type,
    versions: JSON.stringify(plan.versions),
    photo_set_id: photoSet.id,
    photo_set_name: photoSet.name,
    price: plan.price,
    created_at: now,
  };
}

/** Photo by photo, so that the versions of each are neighbours. */
function cellsOf({ photos, versions }: QaPlan, { id: run_id, account_id }: QaRunRow) {
  const pairs = photos.flatMap((photo) => versions.map((version) => ({ photo, version })));
  return pairs.map(({ photo, version }, position) => ({
    id: newId(),
    run_id,
    account_id,
    position,
    photo_id: photo.id,
    photo_name: photo.name,
    people: photo.people,
    version,
    job_id: null,
    submits: 0,
    error: null,
    verdict: null,
    note: '',
    revision: 1,
  }));
}

export async function findRun(db: Db, accountId: string, id: string): Promise<QaRunRow> {
  const run = await db.one(findQaRun, { id, account_id: accountId });
  if (!run) throw qaRunNotFound();
  return run;
}

export async function readQaRun(db: Db, links: CellLinks, accountId: string, id: string): Promise<QaRun> {
  const run = await findRun(db, accountId, id);
  const rows = await db.all(listQaCells, { run_id: id, account_id: accountId });
  const now = db.now();
  return { ...(await qaEntryOf(db, run)), cells: rows.map((row) => cellOf(run, row, links, now)) };
}

/** Newest first. */
export async function readQaRuns(db: Db, accountId: string, page: Page): Promise<QaRunList> {
  const { cursor = afterEveryId, limit } = page;
  const rows = await db.all(listQaRuns, { account_id: accountId, before: cursor, limit });
  return {
    qa_runs: await Promise.all(rows.map((row) => qaEntryOf(db, row))),
    next_cursor: nextCursor(rows, limit, ({ id }) => id),
  };
}

/** Jobs that have not ended are cancelled, which returns their credits; the others stay among the account's jobs. */
export async function removeQaRun(parts: EndParts, accountId: string, id: string): Promise<void> {
  await findRun(parts.db, accountId, id);
  // A cell that is being submitted meanwhile is deleted with its job, or its job is refused.
  const cells = await parts.db.transaction(async (tx) => {
    await tx.run(deleteQaRun, { id, account_id: accountId });
    return tx.all(deleteQaCells, { run_id: id, account_id: accountId });
  });
  for (const { job_id } of cells)
    if (job_id !== null) await cancel(parts, accountId, job_id).catch(ignoreErased);
}

function ignoreErased(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'JOB_NOT_FOUND')) throw error;
}

async function qaEntryOf(db: Db, run: QaRunRow): Promise<QaRunEntry> {
  const counts = await db.all(countVerdicts, { run_id: run.id });
  const versions = readJson(z.array(z.number()), run.versions);
  const results = versions.map((version) => {
    const ofVersion = counts.filter((count) => count.version === version);
    const of = (verdict: string) => ofVersion.find((count) => count.verdict === verdict)?.count ?? 0;
    const cells = ofVersion.reduce((sum, { count }) => sum + count, 0);
    const [good, bad] = [of('good'), of('bad')];
    return { version, cells, good, bad, pass_rate: passRate(good, bad) };
  });
  const sum = (verdict: 'good' | 'bad') => results.reduce((total, result) => total + result[verdict], 0);
  return {
    id: run.id,
    filter: { id: run.filter_id, name: run.filter_name, filter_type: run.filter_type },
    versions,
    photo_set: { id: run.photo_set_id, name: run.photo_set_name },
    price: run.price,
    pass_rate: passRate(sum('good'), sum('bad')),
    results,
    created_at: isoTime(run.created_at),
  };
}

const passRate = (good: number, bad: number) => (good + bad === 0 ? null : good / (good + bad));
