import { boothApi } from '@guise/client/events-api.ts';
import { Transport } from '@guise/client/transport.ts';
import { readKeptEvent } from './event/use-booth-event.ts';
import { BoothGuests } from './guests/booth-guests.ts';
import { guestRecords } from './guests/guest-records.ts';
import { openSealedStore } from './guests/sealed-store.ts';
import type { BoothApi } from './guests/submit-photo.ts';
import { keepText } from './keep-text.ts';
import type { Station } from './station/station.ts';

/** What the screens stand on. */
export interface BoothParts {
  event: string;
  api: BoothApi;
  guests: BoothGuests;
}

const guestPlace = 'guise-booth-guest';

export function openBooth({ event, key }: Station): BoothParts {
  // What is not answered at once is told to the guest, and sent again by the booth itself.
  const transport = new Transport({ baseUrl: '', apiKey: key, retries: 0 });
  const api = boothApi(transport);
  const records = guestRecords(openSealedStore(`guise-booth ${event}`));
  const current = {
    read: () => localStorage.getItem(guestPlace),
    write: (id: string | null) => keepText(guestPlace, id),
  };
  const keepsMoments = () => readKeptEvent(event)?.moments ?? false;
  return { event, api, guests: new BoothGuests({ api, records, current, keepsMoments }) };
}
