import { countAttempt } from '../../store/webhooks/delivery-rates.ts';
import {
  abandonDelivery,
  accountsWithDueDeliveries,
  claimDelivery,
  dueDeliveriesOf,
} from '../../store/webhooks/delivery-records.ts';
import { findEndpoint } from '../../store/webhooks/endpoint-records.ts';
import type { DeliveryRow } from '../../store/webhooks/webhook-schema.ts';
import type { Changes } from '../changes.ts';
import { startPollLoop } from '../poll-loop.ts';
import { deliveryWaiting } from '../webhook-outbox.ts';
import { type DeliveryLoad, namesOf, readLoad } from './delivery-load.ts';
import { endpointIdOf } from './endpoint-id.ts';
import { sendDelivery, type WebhookParts } from './send-delivery.ts';

/** For attempts after the first, and in case a message that something is due is lost. */
const pollIntervalMs = 1000;
/** Deliveries that a node sends at once. */
const slots = 128;
/** Of an account's due deliveries so many are read. Behind as many to hosts at their limit, its own others wait. */
const lookAhead = 50;

/**
 * Sends what is due until stopped. Each delivery has a slot of its own until its receiver has answered, and the next
 * one begins as soon as a slot is free.
 */
export function startWebhookDelivery(parts: WebhookParts & { changes: Changes }): { stop(): Promise<void> } {
  const sending = new Set<Promise<void>>();
  let stopping = false;

  const start = (row: DeliveryRow) => {
    const sent = sendDelivery(parts, row)
      .catch((error) =>
        parts.log.error(
          { err: error, delivery: row.id, job: row.job_id },
          'a webhook delivery could not be ended',
        ),
      )
      .finally(() => {
        sending.delete(sent);
        loop.poll();
      });
    sending.add(sent);
  };
  const claimAll = async () => {
    while (!stopping && sending.size < slots) {
      if ((await claimRound(parts, slots - sending.size, start)) === 0) break;
    }
  };
  const loop = startPollLoop(pollIntervalMs, claimAll, (error) =>
    parts.log.error({ err: error }, 'the webhook outbox could not be read'),
  );
  const unsubscribe = parts.changes.subscribe(deliveryWaiting, loop.poll);
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      await loop.stop();
      await Promise.all(sending);
    },
  };
}

/** Claims and starts at most one delivery of each account, at most `most` of all, and tells how many it started. */
async function claimRound(
  parts: WebhookParts,
  most: number,
  start: (row: DeliveryRow) => void,
): Promise<number> {
  const accounts = await parts.db.all(accountsWithDueDeliveries, {});
  if (accounts.length === 0) return 0;
  const load = await readLoad(parts.db, parts.limits);
  let started = 0;
  for (const { account_id } of accounts) {
    if (started === most) break;
    const row = load.hasRoomForAccount(account_id) && (await claimNext(parts, load, account_id));
    if (!row) continue;
    start(row);
    started++;
  }
  return started;
}

async function claimNext(
  parts: WebhookParts,
  load: DeliveryLoad,
  account_id: string,
): Promise<DeliveryRow | undefined> {
  for (const row of await parts.db.all(dueDeliveriesOf, { account_id, limit: lookAhead })) {
    // A row that cannot be claimed must not hold up the others.
    const claimed = await claim(parts, load, row).catch((error) => {
      parts.log.error(
        { err: error, delivery: row.id, job: row.job_id },
        'a webhook delivery could not be claimed',
      );
    });
    if (claimed) return claimed;
  }
  return undefined;
}

async function claim(
  { db }: WebhookParts,
  load: DeliveryLoad,
  row: DeliveryRow,
): Promise<DeliveryRow | undefined> {
  if (!load.hasRoomForHost(row)) return undefined;
  const { id, account_id, url } = row;
  const endpoint = await db.one(findEndpoint, { id: endpointIdOf(account_id, url), account_id });
  if (endpoint && endpoint.disabled_at !== null) {
    await db.run(abandonDelivery, { ...row, state: 'disabled', last_error: 'The endpoint is disabled.' });
    return undefined;
  }
  const claimed = await db.one(claimDelivery, { id, claim: row.claim });
  if (!claimed) return undefined;
  load.add(claimed);
  for (const name of namesOf(claimed)) await db.run(countAttempt, { name });
  return claimed;
}
