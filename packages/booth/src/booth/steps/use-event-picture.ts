import { pause } from '@guise/client/transport.ts';
import type { EventPicture } from '@guise/contract/booth/event-guests.ts';
import { useEffect, useState } from 'react';
import type { BoothApi } from '../guests/submit-photo.ts';

/** How long the server holds an answer; then it tells how far the picture is. */
const waitSeconds = 3;
const awayMs = 3000;

/** Follows a job until it has ended; a server that goes away is asked again when it is back. */
export function useEventPicture(api: BoothApi, id: string | undefined): EventPicture | undefined {
  const [picture, setPicture] = useState<EventPicture>();
  useEffect(() => {
    if (id === undefined) return;
    const end = new AbortController();
    const { signal } = end;
    const follow = async () => {
      while (!signal.aborted) {
        try {
          const found = await api.job(id, waitSeconds, signal);
          setPicture(found);
          if (hasEnded(found)) return;
        } catch {
          await pause(awayMs, signal).catch(() => {});
        }
      }
    };
    void follow();
    return () => end.abort();
  }, [api, id]);
  return picture?.id === id ? picture : undefined;
}

const hasEnded = ({ status }: EventPicture) => status !== 'QUEUED' && status !== 'RUNNING';
