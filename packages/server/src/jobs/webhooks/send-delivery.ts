import type { Logger } from 'pino';
import type { WebhookLimits } from '../../config.ts';
import type { PostedMessage } from '../../media/safe-post.ts';
import type { Db } from '../../store/db.ts';
import { abandonDelivery, completeDelivery, retryDelivery } from '../../store/webhooks/delivery-records.ts';
import { recordFailure, recordSuccess } from '../../store/webhooks/endpoint-records.ts';
import type { DeliveryRow } from '../../store/webhooks/webhook-schema.ts';
import { endpointIdOf, endpointUrlOf } from './endpoint-id.ts';
import { signatureHeaders } from './signature-headers.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Sends a body and returns the status of the answer. Rejects with a `TimeoutError` when none comes in time. */
export type PostWebhook = (url: string, message: PostedMessage) => Promise<number>;

export interface WebhookParts {
  db: Db;
  secrets: WebhookSecrets;
  limits: WebhookLimits;
  post: PostWebhook;
  log: Logger;
}

/** Waits before the second attempt and those after it; then the delivery is given up. */
const delaysMs = [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 12 * 3600].map((seconds) => seconds * 1000);
export const longestDelayMs = Math.max(...delaysMs);

interface Outcome {
  last_status_code: number | null;
  /** A sentence for the account; null when the receiver has acknowledged. */
  last_error: string | null;
}

/** One attempt of a claimed delivery. An answer of 2xx ends it, 410 too; everything else is tried again. */
export async function sendDelivery(parts: WebhookParts, row: DeliveryRow): Promise<void> {
  const { db, log } = parts;
  const outcome = await attemptDelivery(parts, row);
  const { id, claim } = row;
  if (outcome.last_error === null) {
    await db.run(completeDelivery, { id, claim, ...outcome });
    await db.run(recordSuccess, endpointOf(row));
    return;
  }
  const wait_ms = outcome.last_status_code === 410 ? undefined : delaysMs[row.attempts - 1];
  if (wait_ms === undefined) {
    await db.run(abandonDelivery, { id, claim, state: 'failed', ...outcome });
    log.warn({ delivery: id, job: row.job_id, status: outcome.last_status_code }, 'webhook given up');
  } else {
    await db.run(retryDelivery, { id, claim, wait_ms, ...outcome });
  }
  await countFailure(parts, row);
}

/** Signs and sends a body, and says what came of it. */
export async function attemptDelivery(
  { post, secrets }: Pick<WebhookParts, 'post' | 'secrets'>,
  row: Pick<DeliveryRow, 'id' | 'account_id' | 'url' | 'body'>,
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'guise',
    ...signatureHeaders(await secrets.signing(row.account_id), row.id, row.body, Date.now()),
  };
  try {
    const status = await post(row.url, { accountId: row.account_id, headers, body: row.body });
    const acknowledged = status >= 200 && status < 300;
    return {
      last_status_code: status,
      last_error: acknowledged ? null : `The receiver answered with status ${status}.`,
    };
  } catch (error) {
    return { last_status_code: null, last_error: sentenceOf(error) };
  }
}

/** Which names and addresses exist in the operator's network must not be read from it. */
function sentenceOf(error: unknown): string {
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? 'The receiver did not answer in time.'
    : 'Could not reach the receiver.';
}

async function countFailure({ db, limits, log }: WebhookParts, row: DeliveryRow): Promise<void> {
  const endpoint = endpointOf(row);
  const failures = limits.disableFailures || Number.MAX_SAFE_INTEGER;
  const counted = await db.one(recordFailure, { ...endpoint, failures, ms: limits.disableMs });
  // Both times are of this statement when it was this failure that disabled the endpoint.
  if (counted && counted.disabled_at === counted.used_at)
    log.warn({ account: row.account_id, endpoint: endpoint.id }, 'webhook endpoint disabled');
}

function endpointOf({ account_id, url }: DeliveryRow) {
  return { id: endpointIdOf(account_id, url), account_id, url: endpointUrlOf(url) };
}
