import { followWall } from '@guise/client/changes.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import { Transport } from '@guise/client/transport.ts';
import type { SharedPicture, SharedPictures } from '@guise/contract/events/event-guests.ts';
import { useEffect, useState } from 'react';

const transport = new Transport({ baseUrl: '' });

/**
 * After so long without the server nothing is shown: guests may have erased their pictures meanwhile, and the wall would
 * not know.
 */
const longestAloneMs = 10 * 60_000;

export interface WallState {
  /** Undefined until the server has answered. */
  pictures: readonly SharedPicture[] | undefined;
  /** What the wall says of itself: its colours, and where the gallery is. */
  event: SharedPictures['event'] | undefined;
  /** The link opens no wall, or none any more. */
  isUnknown: boolean;
}

const nothing: WallState = { pictures: undefined, event: undefined, isUnknown: false };

/** The pictures of a wall, newest first, as they come and go. */
export function useWall(token: string): WallState {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = followWall(transport, token, {
      onChange: (type, value) =>
        setState((before) => ({
          isUnknown: false,
          event: type === 'pictures' ? (value as SharedPictures).event : before.event,
          pictures: picturesAfter(before, type, value),
        })),
      onState: (connection) => {
        if (connection === 'open') clearTimeout(timer);
        if (connection === 'lost' && timer === undefined)
          timer = setTimeout(() => setState(nothing), longestAloneMs);
        if (connection === 'open') timer = undefined;
      },
      onError: (error) => {
        const isGone = error instanceof GuiseError && error.status === 404;
        if (isGone) setState({ ...nothing, pictures: [], isUnknown: true });
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [token]);
  return state;
}

function picturesAfter({ pictures = [] }: WallState, type: string, value: unknown): readonly SharedPicture[] {
  switch (type) {
    case 'pictures':
      return (value as SharedPictures).pictures;
    case 'picture': {
      const added = value as SharedPicture;
      const others = pictures.filter(({ id }) => id !== added.id);
      return [...others, added].sort((a, b) => (a.id < b.id ? 1 : -1));
    }
    case 'removed':
      return pictures.filter(({ id }) => id !== (value as { id: string }).id);
    default:
      return pictures;
  }
}
