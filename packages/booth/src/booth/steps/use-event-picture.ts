import { GuiseError } from '@guise/client/guise-error.ts';
import { pause } from '@guise/client/transport.ts';
import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { useEffect, useState } from 'react';
import type { Guest } from '../guests/guest.ts';
import type { BoothApi } from '../guests/submit-photo.ts';

/** How long the server holds an answer; then it tells how far the picture is. */
const waitSeconds = 3;
const awayMs = 3000;

export interface FollowedPicture {
  picture: BoothPicture | undefined;
  /** Whether it was erased meanwhile. */
  isGone: boolean;
}

/** Follows a job until it has ended; a server that goes away is asked again when it is back. */
export function useEventPicture(api: BoothApi, id: string | undefined): FollowedPicture {
  const [picture, setPicture] = useState<BoothPicture>();
  const [gone, setGone] = useState<string>();
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
        } catch (error) {
          if (error instanceof GuiseError && error.status === 404) return setGone(id);
          await pause(awayMs, signal).catch(() => {});
        }
      }
    };
    void follow();
    return () => end.abort();
  }, [api, id]);
  const isGone = id !== undefined && gone === id;
  return { picture: picture?.id === id && !isGone ? picture : undefined, isGone };
}

const hasEnded = ({ status }: BoothPicture) => status !== 'QUEUED' && status !== 'RUNNING';

/** Whether there will be no picture any more. */
export function hasNoPicture({ picture, isGone }: FollowedPicture): boolean {
  return isGone || picture?.status === 'FAILED' || picture?.status === 'EXPIRED';
}

/**
 * Whether a guest waits for the picture, or for its first sight: such a guest does nothing and is still there. `shown` is
 * the picture that has been on the screen.
 */
export function waitsForPicture(
  { step, obstacle }: Guest,
  followed: FollowedPicture,
  shown: string | undefined,
): boolean {
  if (obstacle || hasNoPicture(followed)) return false;
  return step === 'handOver' || (step === 'result' && followed.picture?.id !== shown);
}
