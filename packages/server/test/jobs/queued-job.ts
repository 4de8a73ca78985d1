import { createAccount } from '../../src/accounts/accounts.ts';
import { charge } from '../../src/credits/ledger.ts';
import { newId } from '../../src/ids.ts';
import type { Db } from '../../src/store/db.ts';
import { initialJobState, insertJob, type NewJob } from '../../src/store/job-records.ts';
import type { Queue } from '../../src/store/queue.ts';
import type { JobRow } from '../../src/store/schema.ts';

let emails = 0;

/** An account with 100 credits, straight in the records. */
export const storedAccount = (db: Db) =>
  createAccount(db, { email: `queued${++emails}@example.com`, credits: 100 });

/** A job that waits, as `submit` makes it, without photos. */
export function waitingJob(accountId: string): NewJob {
  const now = Date.now();
  return {
    ...initialJobState,
    id: newId(now),
    account_id: accountId,
    family: 'self_prompt_v2',
    params: JSON.stringify({ prompt: 'on a mountain', ratio: 'portrait' }),
    filter_ref: null,
    filter: null,
    inputs: '[]',
    price: 2,
    // Due for every node: their readings of PostgreSQL's clock differ by some milliseconds on a busy machine.
    run_after: now - 1000,
    created_at: now,
    expires_at: now + 7 * 24 * 3600_000,
    weight: 1,
  };
}

/** What the job needs, as `submit` stores it; nothing where a test writes a row that cannot be read. */
function withNeeds(job: NewJob): NewJob {
  try {
    return {
      ...job,
      filter_kind: job.filter && JSON.parse(job.filter).kind,
      model: JSON.parse(job.params).model ?? null,
      photo_count: JSON.parse(job.inputs).length,
    };
  } catch {
    return job;
  }
}

/** The same, charged and in the records and the queue. */
export async function queuedJob(
  db: Db,
  queue: Queue,
  accountId: string,
  fields: Partial<NewJob> = {},
): Promise<JobRow> {
  const job = { ...withNeeds({ ...waitingJob(accountId), ...fields }), ...fields };
  return db.transaction(async (tx) => {
    await charge(tx, accountId, job.id, job.price, job.created_at);
    const { turn } = (await tx.one(insertJob, job))!;
    await queue.enqueue(tx, { ...job, turn });
    return { ...job, turn };
  });
}
