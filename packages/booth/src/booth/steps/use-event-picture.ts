import { GuiseError } from '@guise/client/guise-error.ts';
import { pause } from '@guise/client/transport.ts';
import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { useEffect, useState } from 'react';
import type { Guest } from '../guests/guest.ts';
import type { BoothApi } from '../guests/submit-photo.ts';

/** How long the server holds an answer; then it tells how far the picture is. */
const waitSeconds = 3;
const awayMs = 3000;
/** A connection that broke without a word is not waited for. */
const longestMs = 1000 * waitSeconds + 10_000;

/** The jobs of one touch as one. */
export interface FollowedPicture {
  /** One that is not ready yet, with how far all are; at the end the first that is. */
  picture: BoothPicture | undefined;
  /** Those that are ready, in their order. */
  ready: readonly BoothPicture[];
  /** Whether none is waited for any more. */
  isOver: boolean;
  /** Whether all were erased meanwhile. */
  isGone: boolean;
}

type Found = Readonly<Record<string, BoothPicture | 'gone'>>;

/** Follows jobs until they have ended; a server that goes away is asked again when it is back. */
export function useEventPictures(api: BoothApi, ids: readonly string[]): FollowedPicture {
  const [found, setFound] = useState<Found>({});
  const wanted = ids.join(' ');
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const note = (id: string, picture: BoothPicture | 'gone') =>
      setFound((before) => ({ ...before, [id]: picture }));
    const follow = async (id: string) => {
      while (!signal.aborted) {
        try {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
          const picture = await api.job(id, waitSeconds, limit);
          note(id, picture);
          if (hasEnded(picture)) return;
        } catch (error) {
          // Not any 404: proxies say that too, while the server behind them starts.
          if (error instanceof GuiseError && error.code === 'JOB_NOT_FOUND') return note(id, 'gone');
          await pause(awayMs, signal).catch(() => {});
        }
      }
    };
    const followed = wanted.split(' ').filter(Boolean);
    setFound((before) =>
      Object.fromEntries(followed.flatMap((id) => (before[id] ? [[id, before[id]]] : []))),
    );
    for (const id of followed) void follow(id);
    return () => end.abort();
  }, [api, wanted]);
  return wholeOf(ids.map((id) => found[id]));
}

function wholeOf(all: readonly (BoothPicture | 'gone' | undefined)[]): FollowedPicture {
  const pictures = all.filter((one) => one !== undefined && one !== 'gone');
  const ready = pictures.filter(({ status }) => status === 'COMPLETED');
  const isGone = all.length > 0 && all.every((one) => one === 'gone');
  const isOver = all.every((one) => one === 'gone' || (one !== undefined && hasEnded(one)));
  if (isOver) return { picture: ready[0] ?? pictures[0], ready, isOver, isGone };
  const waiting = pictures.find((picture) => !hasEnded(picture));
  const sum = pictures.reduce((total, one) => total + (hasEnded(one) ? 1 : one.progress), 0);
  return { picture: waiting && { ...waiting, progress: sum / all.length }, ready, isOver, isGone };
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
  { step, obstacle, made }: Guest,
  followed: FollowedPicture,
  shown: string | undefined,
): boolean {
  // A choice is the guest's to make.
  if (obstacle || hasNoPicture(followed) || (step === 'result' && made === 'variations')) return false;
  return step === 'handOver' || (step === 'result' && followed.picture?.id !== shown);
}
