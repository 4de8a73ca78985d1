import type { WebhookLimits } from '../../config.ts';
import type { Db } from '../../store/db.ts';
import { attemptsThisMinute } from '../../store/webhooks/delivery-rates.ts';
import { leasedDeliveries } from '../../store/webhooks/delivery-records.ts';
import type { DeliveryRow } from '../../store/webhooks/webhook-schema.ts';

/** What all nodes together send and have sent in this minute, against the limits. */
export interface DeliveryLoad {
  hasRoomForAccount(accountId: string): boolean;
  hasRoomForHost(delivery: Pick<DeliveryRow, 'url'>): boolean;
  /** Counts an attempt that begins now. */
  add(delivery: Sent): void;
}

type Sent = Pick<DeliveryRow, 'account_id' | 'url'>;

/**
 * Nodes that claim at the same moment read the same load, so together they may exceed a limit by one delivery each.
 */
export async function readLoad(db: Db, limits: WebhookLimits): Promise<DeliveryLoad> {
  const sending = new Map<string, number>();
  const sent = new Map<string, number>();
  for (const delivery of await db.all(leasedDeliveries, {}))
    for (const name of namesOf(delivery)) count(sending, name);
  for (const { name, attempts } of await db.all(attemptsThisMinute, {})) sent.set(name, attempts);
  const hasRoom = (name: string, atOnce: number, perMinute: number) =>
    (sending.get(name) ?? 0) < atOnce && (perMinute === 0 || (sent.get(name) ?? 0) < perMinute);
  return {
    hasRoomForAccount: (id) => hasRoom(accountName(id), limits.accountConcurrency, limits.accountPerMinute),
    hasRoomForHost: ({ url }) => hasRoom(hostName(url), limits.hostConcurrency, limits.hostPerMinute),
    add(delivery) {
      for (const name of namesOf(delivery)) {
        count(sending, name);
        count(sent, name);
      }
    },
  };
}

/** What a delivery counts for: its account and its host. */
export function namesOf({ account_id, url }: Sent): string[] {
  return [accountName(account_id), hostName(url)];
}

const accountName = (id: string) => `account ${id}`;
/** Without the port: another port is still the same machine. */
const hostName = (url: string) => `host ${URL.parse(url)?.hostname ?? ''}`;

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
