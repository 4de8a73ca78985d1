import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useJobChange } from '../../../app/changes.tsx';
import { useGuise } from '../../../app/guise-context.ts';
import { eventQuery, eventsKey } from '../event-query.ts';

/** Booths report every 30 seconds; of that no change is told. */
const readAgainMs = 15_000;
/** Changes of jobs come by the dozen when booths are busy: what they change is read once for all. */
const gatherMs = 1000;

export const eventJobsKey = (id: string) => [...eventsKey, 'jobs', id];
export const eventKeysKey = (id: string) => ['keys', 'event', id];
const stationsKey = (id: string) => [...eventsKey, 'stations', id];

/** An event with its booths and the work that waits, as they are now. */
export function useEvening(id: string) {
  const guise = useGuise();
  const queries = useQueryClient();
  const event = useQuery({ ...eventQuery(guise, id), refetchInterval: readAgainMs });
  const stations = useQuery({
    queryKey: stationsKey(id),
    queryFn: ({ signal }) => guise.events.stations(id, signal),
    refetchInterval: readAgainMs,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useJobChange(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of [eventQuery(guise, id).queryKey, stationsKey(id), eventJobsKey(id)])
        void queries.invalidateQueries({ queryKey });
    }, gatherMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { event, stations };
}
