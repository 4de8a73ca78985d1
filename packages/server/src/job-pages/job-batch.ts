import type { JobBatch, JobBatchResults } from '@guise/contract/job-details.ts';
import { AppError } from '../errors.ts';
import { cancel, type EndParts } from '../jobs/end.ts';
import { entryOf, type LinkToBlob } from '../jobs/read.ts';
import type { RunRequest, SubmitParts } from '../jobs/submit.ts';
import { retryFailedJob } from './retry-failed.ts';

type Result = JobBatchResults['results'][number];

/** Done at once: the database does one after another, and blobs are removed side by side. */
const atOnce = 10;

/** Does the same with many jobs, each by itself: what is refused for one is done for the others. */
export async function runBatch(
  parts: EndParts & SubmitParts,
  by: Pick<RunRequest, 'accountId' | 'keyId'>,
  { ids, action }: JobBatch,
  { linkTo, erase }: { linkTo: LinkToBlob; erase(id: string): Promise<void> },
): Promise<JobBatchResults> {
  const act = async (id: string): Promise<Result> => {
    if (action === 'erase') {
      await erase(id);
      return { id, ok: true };
    }
    const job =
      action === 'cancel' ? await cancel(parts, by.accountId, id) : await retryFailedJob(parts, by, id);
    return { id, ok: true, job: entryOf(job, linkTo) };
  };
  const results: Result[] = [];
  const wanted = [...new Set(ids)];
  for (let at = 0; at < wanted.length; at += atOnce) {
    const some = wanted.slice(at, at + atOnce);
    results.push(...(await Promise.all(some.map((id) => act(id).catch((error) => refused(id, error))))));
  }
  return { results };
}

/** What is no refusal is a fault of the server, and ends the whole request as one. */
function refused(id: string, error: unknown): Result {
  if (!(error instanceof AppError)) throw error;
  return { id, ok: false, error: error.message, error_code: error.code };
}
