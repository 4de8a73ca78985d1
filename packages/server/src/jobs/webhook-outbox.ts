import { findFamily, wordOf } from '@guise/contract/families/families.ts';
import type { Queries } from '../store/db.ts';
import type { JobRow } from '../store/schema.ts';
import { insertDelivery } from '../store/webhooks/delivery-records.ts';
import { readWebhookUrl } from './stored-request.ts';
import { webhookBody } from './webhooks/webhook-body.ts';

/** What is published when a delivery may be due, so that nodes send it before they would look again. */
export const deliveryWaiting = 'delivery-waiting';

/** Goes into the transaction that ends the job: the webhook is delivered if and only if the job has ended so. */
export async function enqueueDelivery(
  tx: Queries,
  job: JobRow,
  /** Why it failed; null where it completed. */
  ended: { error: string | null },
  now: number,
): Promise<void> {
  const url = webhookUrlOf(job);
  const family = findFamily(job.family);
  if (!url || !family) return;
  const data = {
    id: job.id,
    family: job.family,
    status: wordOf(family, ended.error === null ? 'completed' : 'failed'),
    status_path: family.status.replace('{job_id}', job.id),
  };
  const body =
    ended.error === null
      ? webhookBody('job.completed', data, now)
      : webhookBody('job.failed', { ...data, error: ended.error }, now);
  // A job ends once, so its id is this message's as well.
  await tx.run(insertDelivery, { id: job.id, job_id: job.id, account_id: job.account_id, url, body });
}

/** Whether the end of a job may be told: to its own URL, or to that of its event. */
export const isToldOf = (job: JobRow): boolean => job.event_id !== null || webhookUrlOf(job) !== null;

/** Null for a row that cannot be read: its job must end all the same. */
function webhookUrlOf(job: JobRow): string | null {
  try {
    return readWebhookUrl(job);
  } catch {
    return null;
  }
}
