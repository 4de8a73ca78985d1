import { Uuid } from '@guise/contract/common.ts';
import type { Page } from '@guise/contract/jobs.ts';
import type {
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
} from '@guise/contract/webhooks.ts';
import { AppError, invalidField } from '../../errors.ts';
import { isoTime } from '../../iso-time.ts';
import { nextCursor } from '../../next-cursor.ts';
import type { Db } from '../../store/db.ts';
import { findDelivery, listDeliveries, replayDelivery } from '../../store/webhooks/delivery-records.ts';
import { enableEndpoint, findEndpoint, listEndpoints } from '../../store/webhooks/endpoint-records.ts';
import type { DeliveryRow, EndpointRow } from '../../store/webhooks/webhook-schema.ts';
import { endpointIdOf } from './endpoint-id.ts';

const deliveryNotFound = () =>
  new AppError('WEBHOOK_DELIVERY_NOT_FOUND', 'There is no webhook delivery with this id.');
const endpointNotFound = () =>
  new AppError('WEBHOOK_ENDPOINT_NOT_FOUND', 'There is no webhook endpoint with this id.');
const endpointDisabled = () =>
  new AppError(
    'WEBHOOK_ENDPOINT_DISABLED',
    'The endpoint of this delivery is disabled. Enable it, then replay the delivery.',
  );

/** The caller's deliveries, newest first. */
export async function readDeliveries(db: Db, accountId: string, page: Page): Promise<WebhookDeliveryList> {
  const rows = await db.all(listDeliveries, {
    account_id: accountId,
    ...readCursor(page.cursor),
    limit: page.limit,
  });
  return {
    webhook_deliveries: rows.map(deliveryOf),
    next_cursor: nextCursor(rows, page.limit, ({ created_at, id }) => writeCursor(created_at, id)),
  };
}

export async function readDelivery(db: Db, accountId: string, id: string): Promise<WebhookDelivery> {
  return deliveryOf(await ownDelivery(db, accountId, id));
}

/** Sends a delivery again, as soon as the limits allow it. One that is being sent stays as it is. */
export async function replayWebhook(db: Db, accountId: string, id: string): Promise<WebhookDelivery> {
  const { url } = await ownDelivery(db, accountId, id);
  const endpoint = await db.one(findEndpoint, { id: endpointIdOf(accountId, url), account_id: accountId });
  if (endpoint && endpoint.disabled_at !== null) throw endpointDisabled();
  await db.run(replayDelivery, { id, account_id: accountId });
  return readDelivery(db, accountId, id);
}

/** The caller's endpoints, newest first. */
export async function readEndpoints(db: Db, accountId: string, page: Page): Promise<WebhookEndpointList> {
  const rows = await db.all(listEndpoints, {
    account_id: accountId,
    ...readCursor(page.cursor),
    limit: page.limit,
  });
  return {
    webhook_endpoints: rows.map(endpointOf),
    next_cursor: nextCursor(rows, page.limit, ({ created_at, id }) => writeCursor(created_at, id)),
  };
}

export async function enableWebhooks(db: Db, accountId: string, id: string): Promise<WebhookEndpoint> {
  if (!isUuid(id)) throw endpointNotFound();
  await db.run(enableEndpoint, { id, account_id: accountId });
  const row = await db.one(findEndpoint, { id, account_id: accountId });
  if (!row) throw endpointNotFound();
  return endpointOf(row);
}

export function deliveryOf(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    job_id: row.job_id,
    endpoint_id: endpointIdOf(row.account_id, row.url),
    url: withoutCredentials(row.url),
    event: eventOf(row),
    status: row.state,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: isoTime(row.created_at),
    next_attempt_at: row.state === 'pending' ? isoTime(row.due_at) : null,
    delivered_at: timeOrNull(row.delivered_at),
  };
}

export function endpointOf(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    failures: row.failures,
    failing_since: timeOrNull(row.failing_since),
    disabled_at: timeOrNull(row.disabled_at),
    created_at: isoTime(row.created_at),
  };
}

async function ownDelivery(db: Db, accountId: string, id: string): Promise<DeliveryRow> {
  const row = isUuid(id) ? await db.one(findDelivery, { id, account_id: accountId }) : undefined;
  if (!row) throw deliveryNotFound();
  return row;
}

const isUuid = (id: string) => Uuid.safeParse(id).success;
const timeOrNull = (ms: number | null) => (ms === null ? null : isoTime(ms));

/** Read from the beginning of the message, where its type is: a row that is broken must not break the list. */
function eventOf({ body }: DeliveryRow): string {
  return /^\{"type":"([\w.]+)"/.exec(body)?.[1] ?? '';
}

/** Runs with such a URL are refused, but a delivery is shown whatever is in its row. */
function withoutCredentials(text: string): string {
  const url = URL.parse(text);
  if (!url) return '';
  url.username = '';
  url.password = '';
  return url.href;
}

/** The place of a row in a list: rows are ordered by their time, and by id where that is the same. */
const writeCursor = (created_at: number, id: string) => `${created_at}_${id}`;

function readCursor(cursor: string | undefined): { created_at: number; id: string } {
  if (cursor === undefined) return { created_at: Number.MAX_SAFE_INTEGER, id: '' };
  const [, time, id] = /^(\d{1,15})_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (time !== undefined && id !== undefined) return { created_at: Number(time), id };
  throw invalidField('cursor', 'must be a `next_cursor` of this list');
}
