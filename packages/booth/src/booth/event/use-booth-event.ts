import { GuiseError } from '@guise/client/guise-error.ts';
import { pause } from '@guise/client/transport.ts';
import type { Booth } from '@guise/contract/events/event-guests.ts';
import { useEffect, useRef, useState } from 'react';
import type { BoothApi } from '../guests/submit-photo.ts';
import { keepText } from '../keep-text.ts';

export interface BoothEventState {
  /** As the server said it last, maybe before this page was opened. */
  booth: Booth | null;
  /** `refused` is for a key that has expired or was revoked. */
  connection: 'unknown' | 'online' | 'away' | 'refused';
}

/** How often the event is read while all is well, and while the server is away. */
const calmMs = 15_000;
const awayMs = 4000;
const longestAnswerMs = 8000;

const placeOf = (event: string) => `guise-booth-event ${event}`;

/**
 * The event of this booth. Whoever changes it (a pause, another style, more budget) is heard within seconds. The last
 * answer is kept, so that the booth works on while the server is away, and after a reload in that time.
 */
export function useBoothEvent(api: BoothApi, event: string, onOpen: (booth: Booth) => void) {
  const place = placeOf(event);
  const [state, setState] = useState<BoothEventState>(() => ({
    booth: readKept(place),
    connection: 'unknown',
  }));
  const wake = useRef<() => void>(() => {});
  const openListener = useRef(onOpen);
  openListener.current = onOpen;

  useEffect(() => {
    const end = new AbortController();
    const follow = async () => {
      for (;;) {
        const connection = await readEvent();
        const sleep = new AbortController();
        wake.current = () => sleep.abort();
        const signal = AbortSignal.any([end.signal, sleep.signal]);
        await pause(connection === 'online' ? calmMs : awayMs, signal).catch(() => {});
        if (end.signal.aborted) return;
      }
    };
    const readEvent = async (): Promise<BoothEventState['connection']> => {
      try {
        const signal = AbortSignal.any([end.signal, AbortSignal.timeout(longestAnswerMs)]);
        const booth = withOwnPreviews(await api.get(signal));
        keepText(place, JSON.stringify(booth));
        setState({ booth, connection: 'online' });
        if (booth.state === 'open') openListener.current(booth);
        return 'online';
      } catch (error) {
        if (end.signal.aborted) return 'away';
        const isRefused = error instanceof GuiseError && (error.status === 401 || error.status === 403);
        const connection = isRefused ? 'refused' : 'away';
        setState((before) => ({ ...before, connection }));
        return connection;
      }
    };
    void follow();
    const online = () => wake.current();
    window.addEventListener('online', online);
    return () => {
      end.abort();
      window.removeEventListener('online', online);
    };
  }, [api, place]);

  return { ...state, refresh: () => wake.current() };
}

/**
 * Previews of the catalog by the address of this page: links have the public address, which may be another one for the
 * same server, and the service worker keeps only what is of its own.
 */
function withOwnPreviews(booth: Booth): Booth {
  const ownPreview = (url: string | null) => {
    const path = url && new URL(url, location.href).pathname;
    return path?.startsWith('/previews/') ? path : url;
  };
  return {
    ...booth,
    offers: booth.offers.map((offer) => ({ ...offer, preview_url: ownPreview(offer.preview_url) })),
  };
}

/** An event that a page before this one has kept, with what that one did not know. */
const withNewFields = (booth: Booth): Booth => ({
  ...booth,
  details: booth.details ?? [],
  blocked_words: booth.blocked_words ?? [],
  moments: booth.moments ?? false,
  offers: booth.offers.map((offer) => ({
    ...offer,
    shots: offer.shots ?? 1,
    variations: offer.variations ?? 0,
  })),
});

/** The event as the server said it last. */
export const readKeptEvent = (event: string): Booth | null => readKept(placeOf(event));

function readKept(place: string): Booth | null {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Booth | null;
    return kept && withNewFields(kept);
  } catch {
    return null;
  }
}
