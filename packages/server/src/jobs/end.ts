import { findFamily } from '@guise/contract/families/families.ts';
import type { Notes } from '@guise/contract/notes.ts';
import type { Logger } from 'pino';
import { removeUnneededTemplate } from '../catalog/templates.ts';
import { refund, refundOnce } from '../credits/ledger.ts';
import { type Blobs, isBlobKey } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { deleteDeadLetter, insertDeadLetter } from '../store/dead-letters.ts';
import { completeJob, deleteJob, failJob, findJob, inputKeysOf } from '../store/job-records.ts';
import type { Claim, Queue } from '../store/queue.ts';
import { keepUsageOfJob } from '../store/reports/usage-records.ts';
import type { DeadLetterRow, JobRow } from '../store/schema.ts';
import { isStorageAway } from '../store/storage-unavailable.ts';
import { deleteDeliveriesOf } from '../store/webhooks/delivery-records.ts';
import type { Changes } from './changes.ts';
import type { JobHooks } from './job-hooks.ts';
import { hasEnded, jobNotFound } from './read.ts';
import { claimedResultKeysOf, keysBesideResult, momentKeyOf } from './results/result-keys.ts';
import { type RunReport, type Spent, spentOn, writeRunReport } from './run-report.ts';
import { writeNotes } from './stored-notes.ts';
import { deliveryWaiting, enqueueDelivery, isToldOf } from './webhook-outbox.ts';

export interface EndParts {
  db: Db;
  blobs: Blobs;
  queue: Queue;
  changes: Changes;
  jobHooks: JobHooks;
  resultMs: number;
  log: Logger;
}

/** What came of ending a job: a claim that is lost changes nothing, and a row that does not let its job end is set aside. */
type EndOutcome = 'ended' | 'set-aside' | 'claim-lost';

/** Ends the job with its result. Unless it completes, the result must be thrown away. */
export async function complete(
  parts: EndParts,
  claim: Claim,
  resultKey: string,
  notes: Notes,
  run?: { engine: string | null; report: RunReport; spent: Spent },
): Promise<'completed' | 'failed' | 'stopped'> {
  const outcome = await endJob(parts, claim, null, async (tx, end) => {
    const spent = run?.spent ?? spentOn([]);
    const result = {
      result_key: resultKey,
      result_notes: writeNotes(notes),
      engine: run?.engine ?? null,
      run_report: run ? writeRunReport(run.report) : null,
      ...spent,
    };
    if ((await tx.run(completeJob, { ...end, ...result })) === 0) return false;
    await parts.jobHooks.onSpent(tx, claim.job, spent);
    await parts.jobHooks.onCompleted(tx, claim.job, end.now);
    return true;
  });
  return ({ ended: 'completed', 'set-aside': 'failed', 'claim-lost': 'stopped' } as const)[outcome];
}

/** How much of an error's text the operator is shown. */
const reasonChars = 500;

/** What is known of a failure beside its sentence. */
interface FailureDetails {
  fault?: string | null;
  engine?: string | null;
  /** Somebody wanted it to end. */
  cancelled?: boolean;
}

/**
 * Ends the job as failed, with its refund; false when somebody else has ended or taken over the job. With a `fault` of the
 * server, a dead letter is left for the operator.
 */
export async function fail(
  parts: EndParts,
  claim: Claim,
  sentence: string,
  { fault = null, engine = null, cancelled = false }: FailureDetails = {},
): Promise<boolean> {
  const outcome = await endJob(parts, claim, sentence, async (tx, end) => {
    const failure = { error: sentence, cancelled: cancelled ? 1 : 0, engine };
    if ((await tx.run(failJob, { ...end, ...failure })) === 0) return false;
    await refund(tx, claim.job, end.now);
    await parts.jobHooks.onFailed(tx, claim.job);
    if (fault !== null) await tx.run(insertDeadLetter, deadLetter(claim.job, fault, end.now));
    return true;
  });
  return outcome !== 'claim-lost';
}

/** What every end writes, for the holder of the claim. */
interface EndColumns {
  id: string;
  claim: number;
  now: number;
  expires_at: number;
}

/** Everything that a job's end changes is one transaction: `write` changes the row, and tells whether the claim is held. */
async function endJob(
  parts: EndParts,
  claim: Claim,
  error: string | null,
  write: (tx: Queries, end: EndColumns) => Promise<boolean>,
): Promise<EndOutcome> {
  const { job, token } = claim;
  const writeEnd = async () => {
    const now = parts.db.now();
    const expires_at = now + (await parts.jobHooks.resultMsOf(parts.db, job, parts.resultMs));
    return parts.db.transaction(async (tx) => {
      if (!(await write(tx, { id: job.id, claim: token, now, expires_at }))) return 'claim-lost';
      await parts.queue.complete(tx, claim);
      await enqueueDelivery(tx, job, { error }, now);
      return 'ended';
    });
  };
  const outcome = await writeEnd().catch((cause) => setAside(parts, claim, error ?? brokenRow, cause));
  if (outcome !== 'claim-lost') await afterEnd(parts, job);
  return outcome;
}

const brokenRow = 'Something went wrong on the server while making this.';

/**
 * Ends a job whose row does not let it end as others do, without what depends on the row: with the refund where there was
 * none and a dead letter with the reason, but no webhook. Else it would be tried again with every lease, without end.
 */
async function setAside(
  parts: EndParts,
  claim: Claim,
  sentence: string,
  error: unknown,
): Promise<EndOutcome> {
  if (isStorageAway(error)) throw error;
  const { job } = claim;
  const now = parts.db.now();
  parts.log.error({ err: error, job: job.id, family: job.family }, 'job set aside');
  return parts.db.transaction(async (tx) => {
    const end = { error: sentence, cancelled: 0, engine: null, now, expires_at: now + parts.resultMs };
    if ((await tx.run(failJob, { id: job.id, claim: claim.token, ...end })) === 0) return 'claim-lost';
    await refundOnce(tx, job, now);
    await parts.jobHooks.onFailed(tx, job);
    await tx.run(insertDeadLetter, deadLetter(job, String(error), now));
    if (findFamily(job.family)) await parts.queue.complete(tx, claim);
    return 'set-aside';
  });
}

/** Ends the job as failed, with the reason that it was cancelled. The job's worker, if it has one, learns of it and stops. */
export async function cancel(parts: EndParts, accountId: string, id: string): Promise<JobRow> {
  for (;;) {
    const job = await parts.db.one(findJob, { id, account_id: accountId });
    if (!job) throw jobNotFound();
    if (hasEnded(job)) return job;
    // A worker may claim the job between the two statements: then it is read again.
    const claim = { job, token: job.claim };
    if (!(await fail(parts, claim, 'The job was cancelled.', { cancelled: true }))) continue;
    parts.log.info({ job: id, family: job.family }, 'job cancelled');
    return (await parts.db.one(findJob, { id, account_id: accountId })) ?? job;
  }
}

/** Erases the job with everything of the guest in it, now. A live job is cancelled first. */
export async function erase(parts: EndParts, accountId: string, id: string): Promise<void> {
  const job = await cancel(parts, accountId, id);
  await parts.db.transaction(async (tx) => {
    await tx.run(keepUsageOfJob, { id, account_id: accountId });
    await tx.run(deleteJob, { id, account_id: accountId });
    await tx.run(deleteDeliveriesOf, { job_id: id });
    await tx.run(deleteDeadLetter, { job_id: id });
    await parts.jobHooks.onErased(tx, job);
  });
  await removeBlobs(parts.blobs, blobsOf(job));
  // Those who show it are told before the free pages are overwritten.
  parts.changes.publish(id);
  if (job.event_id !== null) parts.changes.publish(job.event_id);
  await parts.db.scrub();
}

/**
 * The blobs of a job: its photos, its result and what is kept beside that, and what runs before the last one may have
 * left. Those that its row names in no readable way are swept, because then nothing names them.
 */
export function blobsOf(job: JobRow): string[] {
  const moment = job.event_id === null ? [] : [momentKeyOf(job.id)];
  const named = [...inputsOf(job), job.result_key, ...keysBesideResult(job), ...moment];
  return [...new Set([...named, ...claimedResultKeysOf(job)].filter(isBlobKey))];
}

function inputsOf(job: JobRow): unknown[] {
  try {
    return inputKeysOf(job);
  } catch {
    return [];
  }
}

function deadLetter(job: JobRow, fault: string, now: number): DeadLetterRow {
  const { id: job_id, account_id, family, retries, losses } = job;
  return {
    job_id,
    account_id,
    family,
    reason: fault.slice(0, reasonChars),
    retries,
    losses,
    created_at: now,
  };
}

/** The job has ended whether or not its photos can be removed now: if not, they are swept. */
async function afterEnd(parts: EndParts, job: JobRow): Promise<void> {
  parts.changes.publish(job.id);
  parts.changes.publish(job.account_id);
  if (job.event_id !== null) parts.changes.publish(job.event_id);
  if (isToldOf(job)) parts.changes.publish(deliveryWaiting);
  const inputs = inputsOf(job).filter(isBlobKey);
  const removed = [removeBlobs(parts.blobs, inputs), removeUnneededTemplate(parts, job.template)];
  await Promise.all(removed).catch((error) =>
    parts.log.warn({ err: error, job: job.id }, 'photos of an ended job could not be removed'),
  );
}

/** A worker's slot waits for it, so it has a time limit however many tries the storage has. What is left is swept. */
const removeMs = 5000;

export async function removeBlobs(blobs: Blobs, keys: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(removeMs);
  await Promise.all(keys.map((key) => blobs.remove(key, signal)));
}
