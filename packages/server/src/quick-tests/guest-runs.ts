import { familyOf } from '@guise/contract/families/families.ts';
import type { NewQuickTestRun, QuickTest, QuickTestRun } from '@guise/contract/quick-tests.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import { hasEnded, readJobAtEnd } from '../jobs/read.ts';
import { pictureKeyOf, testStatusOf } from '../jobs/results/test-status.ts';
import { earlierAnswer, type Idempotency, type SubmitParts } from '../jobs/submit.ts';
import { readImage } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import { submitTest } from '../qa/submit-test.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilter, previewKeysOf } from '../store/filter-records.ts';
import { findJobStatus, type JobStatusRow } from '../store/job-records.ts';
import type { QuickTestLinkRow } from '../store/qa/qa-schema.ts';
import { findQuickTestRun } from '../store/qa/quick-test-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { countQuickTestRun } from './count-runs.ts';
import { isLinkOpen } from './quick-test-links.ts';

const runNotFound = () => new AppError('QUICK_TEST_NOT_FOUND', 'This link has no test with this id.');
const expired = () => new AppError('QUICK_TEST_ENDED', 'This link has expired. Ask for a new one.');
const notOffered = () =>
  new AppError('QUICK_TEST_ENDED', 'This filter is no longer offered. Ask for a new link.');
const usedUp = () =>
  new AppError('QUICK_TEST_USED_UP', 'All tries of this link are used up. Ask for a new one.');
const paused = (cause: AppError) =>
  new AppError('QUICK_TEST_PAUSED', 'This cannot be tried right now. Try again in a while.', {
    cause,
    headers: { 'retry-after': cause.headers?.['retry-after'] ?? '60' },
  });

/** As `Gender` of the contract says. */
const genders = [
  { value: 0, name: 'man' },
  { value: 1, name: 'woman' },
  { value: 2, name: 'boy' },
  { value: 3, name: 'girl' },
];

/** What a guest may try. A link that is used up is still shown: its guest may look at the last result. */
export async function readQuickTest(
  db: Db,
  link: QuickTestLinkRow,
  linkTo: (key: string) => string,
): Promise<QuickTest> {
  const filter = await offeredFilter(db, link);
  const [preview] = previewKeysOf(filter);
  const ofOneGuest = filter.filter_type === 'face_swap';
  return {
    name: link.name,
    filter: {
      name: filter.name,
      filter_type: filter.filter_type,
      preview_url: preview === undefined ? null : linkTo(preview),
    },
    runs_left: Math.max(0, link.runs - link.runs_used),
    expires_at: isoTime(link.expires_at),
    genders: ofOneGuest ? genders : [],
    ratios: ofOneGuest ? ['portrait', 'landscape', 'square'] : [],
  };
}

/** A guest's run: charged to the link's account, and counted in the transaction that accepts the job. */
export async function startGuestRun(
  parts: SubmitParts,
  link: QuickTestLinkRow,
  wanted: Omit<NewQuickTestRun, 'image'> & { image: string | Upload },
  idempotency: Idempotency | null,
  signal: AbortSignal,
): Promise<{ id: string }> {
  const { db } = parts;
  const own = idempotency && ownKey(link, idempotency);
  const earlier = own && (await earlierAnswer(db, link.account_id, own));
  if (earlier) return { id: earlier.id };
  const filter = await offeredFilter(db, link);
  if (link.runs_used >= link.runs) throw usedUp();
  const photo = (await readImage(wanted.image, parts, { accountId: link.account_id, signal })).bytes;
  const { gender, ratio } = wanted;
  try {
    const { id } = await submitTest(parts, {
      accountId: link.account_id,
      keyId: null,
      makerId: link.made_by,
      quickTestLinkId: link.id,
      filter,
      photo,
      gender,
      ratio,
      idempotency: own,
      async onAccept(tx, jobId) {
        if (!(await countQuickTestRun(tx, link.id, jobId, db.now()))) throw usedUp();
      },
    });
    return { id };
  } catch (error) {
    throw guestError(error);
  }
}

/** Guests of one account's links do not share keys with each other or with the account. */
function ownKey(link: QuickTestLinkRow, { key, fingerprint }: Idempotency): Idempotency {
  return { key: `${link.id} ${key}`, fingerprint };
}

/** A guest is told nothing of the account's credits, limits and filters. */
function guestError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  switch (error.code) {
    case 'UNAUTHORIZED':
      return expired();
    case 'INSUFFICIENT_CREDITS':
    case 'RATE_LIMITED':
    case 'QUEUE_FULL':
      return paused(error);
    case 'WORKFLOW_FETCH_FAILED':
    case 'FILTER_TYPE_MISMATCH':
      return notOffered();
    default:
      return error;
  }
}

/** A run of this link, with a key that its picture's link is signed for. */
export interface ReadGuestRun {
  run: Omit<QuickTestRun, 'image_url'>;
  pictureKey: string | null;
  expiresAt: number;
}

/** How long a guest waits for the end of a run. */
export interface Wait {
  ms: number;
  signal: AbortSignal;
}

/** Also after the link has expired: whoever started a run may see what came of it. */
export async function readGuestRun(
  parts: { db: Db; waits: JobWaits },
  link: QuickTestLinkRow,
  id: string,
  wait: Wait,
): Promise<ReadGuestRun> {
  const { db } = parts;
  const run = await db.one(findQuickTestRun, { job_id: id, link_id: link.id });
  if (!run) throw runNotFound();
  const found = await db.one(findJobStatus, { id, account_id: link.account_id });
  const job = found && !hasEnded(found) && wait.ms > 0 ? await waitForJob(parts, found, wait) : found;
  const now = db.now();
  return {
    run: {
      id,
      status: testStatusOf(job, now),
      progress: job?.progress ?? 0,
      error: job?.error ?? null,
      created_at: isoTime(run.created_at),
      expires_at: isoTime(job?.expires_at ?? run.created_at),
    },
    pictureKey: pictureKeyOf(job, now),
    expiresAt: job?.expires_at ?? now,
  };
}

function waitForJob(
  parts: { db: Db; waits: JobWaits },
  { id, account_id, family }: JobStatusRow,
  { ms, signal }: Wait,
): Promise<JobStatusRow> {
  const query = { accountId: account_id, statusPath: familyOf(family).status, id };
  return readJobAtEnd(parts, query, ms, signal);
}

async function offeredFilter(db: Db, link: QuickTestLinkRow): Promise<CustomFilterRow> {
  if (!(await isLinkOpen(db, link))) throw expired();
  const filter = await db.one(findCustomFilter, { id: link.filter_id, account_id: link.account_id });
  if (!filter) throw notOffered();
  return filter;
}
