import type { Role } from '@guise/contract/account.ts';
import type { JobDetail } from '@guise/contract/job-details.ts';
import { isoTime } from '../iso-time.ts';
import { readWaiting } from '../jobs/job-waiting.ts';
import { entryOf, jobNotFound, type LinkToBlob } from '../jobs/read.ts';
import { loopLinksOf } from '../jobs/results/loop-links.ts';
import { linkKeyOf } from '../jobs/results/result-keys.ts';
import { readRunReport, timingsOf } from '../jobs/run-report.ts';
import { readSentences } from '../jobs/stored-notes.ts';
import type { Db } from '../store/db.ts';
import { findDeadLetter } from '../store/dead-letters.ts';
import { findJob } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import { findDelivery } from '../store/webhooks/delivery-records.ts';

/** Everything that an account may know of one of its jobs. What an engine said is for operators. */
export async function readJobDetail(
  db: Db,
  reader: { id: string; role: Role },
  id: string,
  linkTo: LinkToBlob,
): Promise<JobDetail> {
  const job = await db.one(findJob, { id, account_id: reader.id });
  if (!job) throw jobNotFound();
  // What is a fault of the server leaves a dead letter for its operator.
  const fault = job.state === 'failed' ? await db.one(findDeadLetter, { job_id: id }) : undefined;
  const sentences =
    job.result_notes === null ? { applied: [], ignored: [] } : readSentences(job.result_notes);
  return {
    ...entryOf(job, linkTo),
    params: paramsOf(job),
    filter_kind: filterKindOf(job),
    filter_version: job.filter_version,
    engine: job.engine,
    worker: job.worker,
    timings: timingsOf(job, db.now()),
    engine_timings: readRunReport(job).engine,
    retries: job.retries,
    waiting: await readWaiting(db, job),
    failure: job.state !== 'failed' ? null : fault ? 'server' : 'request',
    ...(reader.role === 'operator' && forOperator(job, fault?.reason)),
    ...sentences,
    result_url: job.result_key === null ? null : linkTo(job, linkKeyOf(job.result_key)),
    ...loopLinksOf(job, (key) => linkTo(job, key)),
    webhook: await readWebhook(db, job),
  };
}

/** What the engine's servers did with the job. */
function forOperator(job: JobRow, reason: string | undefined): Pick<JobDetail, 'cause' | 'attempts'> {
  const attempts = readRunReport(job).attempts.map(({ at, seconds, gpu_seconds, cost, ...attempt }) => ({
    ...attempt,
    at: isoTime(at),
    ...(seconds !== undefined && { seconds }),
    ...(gpu_seconds !== undefined && { gpu_seconds }),
    ...(cost !== undefined && { cost_usd: cost }),
  }));
  const last = job.state === 'failed' ? attempts.at(-1)?.cause : null;
  return { cause: reason ?? last ?? null, attempts };
}

/** Null when they were cleared with the rest of an expired job, or cannot be read. */
function paramsOf({ params }: JobRow): JobDetail['params'] {
  const read = parseObject(params);
  return read === undefined || Object.keys(read).length === 0 ? null : read;
}

function filterKindOf({ filter }: JobRow): string | null {
  const kind = filter === null ? undefined : parseObject(filter)?.kind;
  return typeof kind === 'string' ? kind : null;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The delivery of a job's end has the job's id. */
async function readWebhook(db: Db, { id, account_id }: JobRow): Promise<JobDetail['webhook']> {
  const delivery = await db.one(findDelivery, { id, account_id });
  if (!delivery) return null;
  const { state, attempts, last_status_code, last_error } = delivery;
  return { status: state, attempts, last_status_code, last_error };
}
