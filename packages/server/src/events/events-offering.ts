import type { Offer } from '@guise/contract/events/offers.ts';
import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import type { Db } from '../store/db.ts';
import { listComingEvents } from '../store/events/event-records.ts';
import { settingsOf } from './event-settings.ts';
import { eventStateOf } from './event-state.ts';

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
      settingsOf(row).offers.some((offer) => filtersOf(offer).some((ref) => refs.includes(String(ref)))),
    )
    .map(({ row: { id, name }, state }) => ({ id, name, open: state === 'open' }));
}

/** The filters and aliases of an offer. */
export const filtersOf = (offer: Offer) => [
  ...('filter_id' in offer ? [offer.filter_id] : []),
  ...('variations' in offer ? offer.variations : []),
];
