import { useEffect, useState, useSyncExternalStore } from 'react';
import { PreviewPicture } from './preview-picture.tsx';

const everyMs = 4500;

/**
 * Pictures that fill their place and change: as many side by side as the screen is wide, because pictures of people are
 * upright.
 */
export function PictureLoop({ pictures }: { pictures: readonly string[] }) {
  const [turn, setTurn] = useState(0);
  const columns = Math.min(useColumns(), Math.max(1, pictures.length));
  useEffect(() => {
    if (pictures.length < 2) return;
    const timer = setInterval(() => setTurn((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [pictures.length]);
  if (pictures.length === 0) return null;
  return (
    <div aria-hidden className="absolute inset-0 flex">
      {Array.from({ length: columns }, (_, column) => {
        // Columns change one after the other.
        const index = Math.floor((turn + columns - 1 - column) / columns) * columns + column;
        const at = (wanted: number) => pictures[(wanted + columns * pictures.length) % pictures.length]!;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          <FadingPicture key={column} before={at(index - columns)} now={at(index)} />
        );
      })}
    </div>
  );
}

/** The picture before stays below while the next one appears; no more than two are in memory. */
function FadingPicture({ before, now }: { before: string; now: string }) {
  return (
    <div className="relative flex-1 overflow-hidden [container-type:size]">
      {before !== now && <PreviewPicture key={before} src={before} className={place} />}
      <PreviewPicture key={now} src={now} className={`${place} animate-[appear_1.2s_ease-out]`} />
    </div>
  );
}

/** Heads are in the upper third. */
const place = 'object-[50%_25%]';

/** The shapes of screens from which on there is room for another picture of 2:3: above the words, or beside them. */
const screens = ['5/8', '5/3'].map((shape) => matchMedia(`(min-aspect-ratio: ${shape})`));

function useColumns(): number {
  return useSyncExternalStore(
    (listener) => {
      for (const screen of screens) screen.addEventListener('change', listener);
      return () => {
        for (const screen of screens) screen.removeEventListener('change', listener);
      };
    },
    () => 1 + screens.filter(({ matches }) => matches).length,
  );
}
