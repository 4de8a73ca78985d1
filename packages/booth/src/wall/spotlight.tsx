import type { SharedPicture } from '@guise/contract/events/event-guests.ts';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../shared/texts/texts.ts';
import { prefersReducedMotion } from './screen.ts';

/** How long a new picture has the whole wall. */
const spotlightMs = 6000;
/** Of many that come at once, the newest: guests in front of the wall look for their own. */
const mostWaiting = 3;

/** A picture that has just come, large before all others; then it goes to its cell. */
export function Spotlight({ pictures }: { pictures: readonly SharedPicture[] }) {
  const texts = useTexts().wall;
  const shown = useArrival(pictures);
  if (!shown) return null;
  const isVideo = shown.media_type.startsWith('video/');
  return (
    <div key={shown.id} className="wall-spotlight">
      <figure>
        {isVideo ? (
          <video src={shown.url} poster={shown.thumbnail_url} muted autoPlay loop playsInline />
        ) : (
          <img src={shown.url} alt="" />
        )}
        <figcaption className="text-title font-semibold">{texts.fresh}</figcaption>
      </figure>
    </div>
  );
}

/** The picture that came last, for its time. Those that are there at the start have not come. */
function useArrival(pictures: readonly SharedPicture[]): SharedPicture | undefined {
  const known = useRef<ReadonlySet<string>>(undefined);
  const [queue, setQueue] = useState<readonly string[]>([]);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(pictures.map(({ id }) => id));
    if (!before || prefersReducedMotion()) return;
    const fresh = pictures.filter(({ id }) => !before.has(id)).map(({ id }) => id);
    // A wall that was without a connection has missed many: they have their turns in the cells.
    if (fresh.length > 0) setQueue((waiting) => [...waiting, ...fresh.reverse()].slice(-mostWaiting));
  }, [pictures]);
  const [first] = queue;
  useEffect(() => {
    if (first === undefined) return;
    const timer = setTimeout(() => setQueue((waiting) => waiting.slice(1)), spotlightMs);
    return () => clearTimeout(timer);
  }, [first]);
  // What was erased meanwhile is not there any more.
  return pictures.find(({ id }) => id === first);
}
