import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import type { Db } from '../store/db.ts';
import { listComingEvents } from '../store/events/event-records.ts';
import { eventStateOf } from './event-state.ts';
import { settingsOf } from './events.ts';

/** So many events are looked through. */
const most = 200;

/** The events of an account that have not ended and offer one of these filters or aliases. */
export async function findEventsOffering(
  db: Db,
  account_id: string,
  refs: readonly string[],
): Promise<CustomFilterDetail['events']> {
  const now = db.now();
  const rows = await db.all(listComingEvents, { account_id, now, limit: most });
  return rows
    .map((row) => ({ row, state: eventStateOf(row, now) }))
    .filter(({ state }) => state !== 'ended' && state !== 'erased')
    .filter(({ row }) =>
      settingsOf(row).offers.some(
        (offer) => offer.kind !== 'video' && refs.includes(String(offer.filter_id)),
      ),
    )
    .map(({ row: { id, name }, state }) => ({ id, name, open: state === 'open' }));
}
