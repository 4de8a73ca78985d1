import { type AnyParams, findFamily, wordOf } from '@guise/contract/families/families.ts';
import { isoTime } from '../iso-time.ts';
import type { Queries } from '../store/db.ts';
import { insertDelivery } from '../store/delivery-records.ts';
import type { JobRow } from '../store/schema.ts';

/** Goes into the transaction that ends the job: the webhook is delivered if and only if the job has ended so. */
export async function enqueueDelivery(
  tx: Queries,
  job: JobRow,
  ended: { state: 'completed' | 'failed'; error: string | null },
  now: number,
): Promise<void> {
  const url = webhookUrlOf(job);
  const family = findFamily(job.family);
  if (!url || !family) return;
  const body = JSON.stringify({
    type: `job.${ended.state}`,
    timestamp: isoTime(now),
    data: {
      id: job.id,
      family: job.family,
      status: wordOf(family, ended.state),
      status_path: family.status.replace('{job_id}', job.id),
      ...(ended.error !== null && { error: ended.error }),
    },
  });
  await tx.run(insertDelivery, { job_id: job.id, account_id: job.account_id, url, body });
}

/** Null for a row that cannot be read: its job must end all the same. */
function webhookUrlOf({ params }: JobRow): string | null {
  try {
    return (JSON.parse(params) as AnyParams).webhook_url ?? null;
  } catch {
    return null;
  }
}
