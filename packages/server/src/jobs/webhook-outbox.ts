import { createHmac } from 'node:crypto';
import { type AnyParams, findFamily, wordOf } from '@guise/contract/families.ts';
import type { Logger } from 'pino';
import { isoTime } from '../iso-time.ts';
import type { Db, Queries } from '../store/db.ts';
import { claimDelivery, deleteDelivery, dueDeliveries, insertDelivery } from '../store/delivery-records.ts';
import type { DeliveryRow, JobRow } from '../store/schema.ts';

/** Waits before the second attempt and those after it; then the delivery is given up. */
const delaysMs = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600].map((seconds) => seconds * 1000);
const pollIntervalMs = 1000;
const deliveriesAtOnce = 16;

export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<number>;

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
  const row = { job_id: job.id, account_id: job.account_id, url, body, attempts: 0, due_at: now };
  await tx.run(insertDelivery, row);
}

/** Null for a row that cannot be read: its job must end all the same. */
function webhookUrlOf({ params }: JobRow): string | null {
  try {
    return (JSON.parse(params) as AnyParams).webhook_url ?? null;
  } catch {
    return null;
  }
}

/** Every account's own, as `GET /v1/users/me/webhook-secret` gives it; nothing of it is stored. */
export function webhookSecret(serverSecret: string, accountId: string): string {
  return `whsec_${createHmac('sha256', serverSecret).update(`webhooks of ${accountId}`).digest('base64')}`;
}

/** The scheme of standardwebhooks.com, so that its libraries can check it. */
export function signatureHeaders(secret: string, id: string, body: string, now: number) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

export interface WebhookParts {
  db: Db;
  secret: string;
  post: Post;
  log: Logger;
}

/** Delivers what is due until stopped. An answer of 2xx ends it, 410 too; everything else is tried again. */
export function startWebhookDelivery(parts: WebhookParts): { stop(): Promise<void> } {
  let delivering: Promise<void> | null = null;
  const poll = () => {
    delivering ??= deliverDue(parts)
      .catch((error) => parts.log.error({ err: error }, 'the webhook outbox could not be read'))
      .finally(() => {
        delivering = null;
      });
  };
  const timer = setInterval(poll, pollIntervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await delivering;
    },
  };
}

async function deliverDue(parts: WebhookParts): Promise<void> {
  const due = await parts.db.all(dueDeliveries, { now: Date.now(), limit: deliveriesAtOnce });
  await Promise.all(due.map((row) => deliver(parts, row)));
}

async function deliver(parts: WebhookParts, row: DeliveryRow): Promise<void> {
  const now = Date.now();
  const delay = delaysMs[row.attempts];
  const { job_id, attempts } = row;
  if ((await parts.db.run(claimDelivery, { job_id, attempts, due_at: now + (delay ?? 0) })) === 0) return;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'guise',
    ...signatureHeaders(webhookSecret(parts.secret, row.account_id), job_id, row.body, now),
  };
  const status = await parts.post(row.url, headers, row.body).catch(() => 0);
  const delivered = (status >= 200 && status < 300) || status === 410;
  if (!delivered && delay === undefined) parts.log.warn({ job: job_id, status }, 'webhook given up');
  if (delivered || delay === undefined) await parts.db.run(deleteDelivery, { job_id });
}
