import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { Tagged } from '@guise/client/transport.ts';
import type { EventDraft } from '@guise/contract/events/event-drafts.ts';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import { queryOptions } from '@tanstack/react-query';
import { eventsKey } from '../event-query.ts';
import { type EventFields, fieldsOfEvent } from './event-fields.ts';

/** An event as booths get it, and as it is edited: with its draft, or as it is. */
export interface EditedEvent {
  live: Tagged<BoothEvent>;
  draft: EventDraft | undefined;
  fields: EventFields;
}

export const editedEventQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: [...eventsKey, 'edited', id],
    queryFn: async ({ signal }): Promise<EditedEvent> => {
      const live = await guise.events.get(id, signal);
      const draft = live.value.draft ? await guise.events.draft(id, signal) : undefined;
      const fields = fieldsOfEvent({ ...live.value, ...draft?.change } as BoothEvent);
      return { live, draft, fields };
    },
    // What is typed is kept by the form, and not overwritten by a later read.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
