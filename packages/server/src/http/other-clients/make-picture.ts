import { familyOf } from '@guise/contract/families/families.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { readJobAtEnd } from '../../jobs/read.ts';
import { readSentences } from '../../jobs/stored-notes.ts';
import { earlierAnswer, type Idempotency, submit } from '../../jobs/submit.ts';
import type { OpenBlob } from '../../store/blobs.ts';
import type { JobStatusRow } from '../../store/job-records.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf } from '../request.ts';
import type { PlannedRun } from './plan-run.ts';

/** How long a call waits for its picture. Pictures have three minutes each, and wait for those before them. */
export const maxWaitMs = 10 * 60_000;

const failed = (sentence: string | null) =>
  new AppError('JOB_FAILED', sentence ?? 'The picture could not be made.');
const notEnded = (id: string) =>
  new AppError('JOB_NOT_ENDED', `The job ${id} has not ended. GET /v1/jobs/${id} tells what becomes of it.`, {
    headers: { 'retry-after': '5' },
  });

interface Submission {
  idempotency: Idempotency | null;
  /** Aborts when the caller hangs up. */
  signal: AbortSignal;
}

/** Submits a run of the caller, unless it did so before with the same key, and gives the id of its job. */
export async function submitPicture(
  parts: HttpParts,
  request: FastifyRequest,
  run: PlannedRun,
  { idempotency, signal }: Submission,
): Promise<string> {
  const { id: accountId, key_id: keyId } = callerOf(request);
  const earlier = idempotency && (await earlierAnswer(parts.db, accountId, idempotency));
  const { id } =
    earlier ??
    (await submit(parts, {
      accountId,
      keyId,
      family: familyOf(run.family),
      body: run.body,
      uploads: request.received?.uploads,
      idempotency,
      signal,
    }));
  return id;
}

interface Wait {
  waitMs: number;
  signal: AbortSignal;
}

/**
 * The job when its picture is made. Throws what its caller is told where it failed, or has not ended in time. The body
 * of the request is gone then: one that waited with its caller would take the room of others.
 */
export async function awaitPicture(
  parts: HttpParts,
  request: FastifyRequest,
  id: string,
  { waitMs, signal }: Wait,
): Promise<JobStatusRow> {
  // The job has its own copy of the photo.
  await request.received?.release();
  const query = { accountId: callerOf(request).id, statusPath: null, id };
  const job = await readJobAtEnd(parts, query, waitMs, signal);
  if (job.state === 'failed') throw failed(job.error);
  if (job.state !== 'completed') throw notEnded(id);
  return job;
}

/** What of the request was followed and what was not, as sentences. */
export function readNotes({ result_notes }: JobStatusRow): { applied: string[]; ignored: string[] } {
  if (result_notes === null) return { applied: [], ignored: [] };
  const { applied, ignored } = readSentences(result_notes);
  return { applied, ignored };
}

/** The picture of a completed job as it is stored: base64 of a PNG. */
export async function openPicture(parts: HttpParts, job: JobStatusRow): Promise<OpenBlob> {
  const blob = await parts.blobs.open(job.result_key ?? 'results/none');
  if (!blob) throw new Error(`the result of job ${job.id} is gone`);
  return blob;
}
