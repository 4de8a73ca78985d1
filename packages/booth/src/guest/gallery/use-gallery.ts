import { GuiseError } from '@guise/client/guise-error.ts';
import type { SharedPicture, SharedPictures } from '@guise/contract/events/event-guests.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { galleries, type Trouble, troubleOf } from '../guest-api.ts';

const pageSize = 60;
/** How long until a page without pictures asks again. */
const retryMs = 5000;

export interface GalleryState {
  event: SharedPictures['event'] | undefined;
  pictures: SharedPicture[];
  /** Whether the password is asked for. */
  isLocked: boolean;
  trouble: Trouble | undefined;
  hasMore: boolean;
  loadMore(): void;
  /** Why the password did not open it. */
  unlock(password: string): Promise<'wrong' | 'tooMany' | 'away' | undefined>;
}

/** The pictures of a gallery. The token that a password gave is forgotten with the page. */
export function useGallery(token: string): GalleryState {
  const [access, setAccess] = useState(token);
  const [read, setRead] = useState<SharedPictures>();
  const [isLocked, setIsLocked] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();

  const tell = useCallback(
    (error: unknown) => {
      if (error instanceof GuiseError && error.code === 'GALLERY_LOCKED') return setIsLocked(true);
      const why = troubleOf(error);
      if (why === 'away' || why === 'busy') return setTrouble(why);
      // The password was changed meanwhile: the link itself says whether there still is a gallery.
      if (access !== token) return setAccess(token);
      setTrouble(why);
      setRead(undefined);
    },
    [access, token],
  );

  const shown = useRef(0);
  shown.current = read?.pictures.length ?? 0;
  /** Reads anew as many as are shown: a guest who comes back from another app is where they were. */
  const load = useCallback(
    async (signal: AbortSignal) => {
      try {
        setRead(await readPages(access, shown.current, signal));
        setTrouble(undefined);
      } catch (error) {
        if (!signal.aborted) tell(error);
      }
    },
    [access, tell],
  );

  const loadAfter = async (cursor: string) => {
    try {
      const page = await galleries.get(access, { cursor, limit: pageSize });
      // A button that was touched twice asks twice.
      setRead((before) =>
        before?.next_cursor === cursor
          ? { ...page, pictures: [...before.pictures, ...page.pictures] }
          : before,
      );
    } catch (error) {
      tell(error);
    }
  };

  useWhenLookedAt(load);
  useRetry(load, !read && (trouble === 'away' || trouble === 'busy'));

  const unlock = async (password: string) => {
    try {
      setAccess((await galleries.unlock(token, password)).token);
      setIsLocked(false);
      return undefined;
    } catch (error) {
      if (error instanceof GuiseError && error.code === 'GALLERY_LOCKED') return 'wrong';
      return error instanceof GuiseError && error.status === 429 ? 'tooMany' : 'away';
    }
  };

  const cursor = read?.next_cursor;
  return {
    event: read?.event,
    pictures: read?.pictures ?? [],
    isLocked,
    trouble,
    hasMore: typeof cursor === 'string',
    loadMore: () => void (typeof cursor === 'string' && loadAfter(cursor)),
    unlock,
  };
}

/** Loads at once, and whenever the page is looked at again. */
function useWhenLookedAt(load: (signal: AbortSignal) => Promise<void>): void {
  useEffect(() => {
    const controller = new AbortController();
    const onLook = () => void (document.hidden || load(controller.signal));
    void load(controller.signal);
    document.addEventListener('visibilitychange', onLook);
    window.addEventListener('online', onLook);
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      window.removeEventListener('online', onLook);
      controller.abort();
    };
  }, [load]);
}

/** As many pages as have this many pictures; at least the first. */
async function readPages(access: string, least: number, signal: AbortSignal): Promise<SharedPictures> {
  let page = await galleries.get(access, { limit: pageSize }, signal);
  const pictures = [...page.pictures];
  while (pictures.length < least && page.next_cursor) {
    page = await galleries.get(access, { cursor: page.next_cursor, limit: pageSize }, signal);
    pictures.push(...page.pictures);
  }
  return { ...page, pictures };
}

/** Asks again and again while there is nothing to show. */
function useRetry(load: (signal: AbortSignal) => Promise<void>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    const timer = setInterval(() => void (document.hidden || load(controller.signal)), retryMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [load, isOn]);
}
