import { GuiseError } from '@guise/client/guise-error.ts';
import type { SharedPicture, SharedPictures } from '@guise/contract/events/event-guests.ts';
import { useCallback, useEffect, useState } from 'react';
import { galleries, type Trouble, troubleOf } from '../guest-api.ts';

const pageSize = 60;

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

  const load = useCallback(
    async (cursor?: string, signal?: AbortSignal) => {
      try {
        const page = await galleries.get(access, { cursor, limit: pageSize }, signal);
        setRead((before) => ({
          ...page,
          pictures: cursor === undefined ? page.pictures : [...(before?.pictures ?? []), ...page.pictures],
        }));
        setTrouble(undefined);
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof GuiseError && error.code === 'GALLERY_LOCKED') return setIsLocked(true);
        // The password was changed meanwhile: the link itself says whether there still is a gallery.
        if (access !== token) return setAccess(token);
        setTrouble(troubleOf(error));
      }
    },
    [access, token],
  );

  useEffect(() => {
    const controller = new AbortController();
    void load(undefined, controller.signal);
    const onLook = () => void (document.hidden || load(undefined, controller.signal));
    document.addEventListener('visibilitychange', onLook);
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      controller.abort();
    };
  }, [load]);

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
    loadMore: () => void (typeof cursor === 'string' && load(cursor)),
    unlock,
  };
}
