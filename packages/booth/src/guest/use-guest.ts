import type { EventPicture, GuestPage } from '@guise/contract/events/event-guests.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { guests, type Trouble, troubleOf } from './guest-api.ts';

/**
 * How long until the page asks again. Guests of a venue share an address, which has 1,200 requests a minute: 60 of them
 * may wait at once.
 */
const pauseMs = { running: 3000, queued: 5000, idle: 60_000, trouble: 5000 } as const;

export const isInWork = ({ status }: EventPicture) => status === 'QUEUED' || status === 'RUNNING';

export interface GuestState {
  /** The newest answer; it stays while the server is away. */
  page: GuestPage | undefined;
  trouble: Trouble | undefined;
  /** Erases one picture, or all. Rejects when the server did not do it. */
  erase(id?: string): Promise<void>;
}

/** The pictures of a guest, asked for again while one is being made, and whenever the page is looked at again. */
export function useGuest(token: string): GuestState {
  const [page, setPage] = useState<GuestPage>();
  const [trouble, setTrouble] = useState<Trouble>();
  const abort = useRef(new AbortController());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const load = useCallback(async () => {
    clearTimeout(timer.current);
    abort.current.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    let pause: number;
    try {
      const read = await guests.get(token, signal);
      setPage(read);
      setTrouble(undefined);
      pause = pauseAfter(read.pictures);
    } catch (error) {
      if (signal.aborted) return;
      const why = troubleOf(error);
      setTrouble(why);
      if (why === 'unknown' || why === 'expired') return setPage(undefined);
      pause = pauseMs.trouble;
    }
    // Nobody looks: the page asks when somebody does.
    if (!document.hidden) timer.current = setTimeout(load, pause);
  }, [token]);

  useEffect(() => {
    void load();
    const onLook = () => {
      if (document.hidden) clearTimeout(timer.current);
      else void load();
    };
    document.addEventListener('visibilitychange', onLook);
    window.addEventListener('online', onLook);
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      window.removeEventListener('online', onLook);
      clearTimeout(timer.current);
      abort.current.abort();
    };
  }, [load]);

  const erase = useCallback(
    async (id?: string) => {
      await (id === undefined ? guests.erasePictures(token) : guests.erasePicture(token, id));
      setPage((shown) => {
        const left = id === undefined ? [] : shown?.pictures.filter((picture) => picture.id !== id);
        return shown && { ...shown, pictures: left ?? [] };
      });
      // An answer that was on its way still has the picture.
      void load();
    },
    [token, load],
  );

  return { page, trouble, erase };
}

function pauseAfter(pictures: readonly EventPicture[]): number {
  if (pictures.some(({ status }) => status === 'RUNNING')) return pauseMs.running;
  return pictures.some(isInWork) ? pauseMs.queued : pauseMs.idle;
}
