import type { GuiseApi } from '@guise/client/guise-api.ts';
import { queryOptions } from '@tanstack/react-query';

export const eventsKey = ['events'];

/** An event with the tag that a change of it names. */
export const eventQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: [...eventsKey, 'one', id],
    queryFn: ({ signal }) => guise.events.get(id, signal),
  });

export const printersKey = ['printers'];
