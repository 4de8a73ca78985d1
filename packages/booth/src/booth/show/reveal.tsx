import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { FittedBox } from '../../shared/fitted-box.tsx';

interface RevealProps {
  photo: string;
  picture: string;
  /** What is said when the picture is there. */
  title: string;
  /** The picture begins to appear. */
  onBegin(): void;
  onEnd(): void;
}

/** From the photo to the picture, and a moment to look at it. */
const revealMs = 4200;
const pieces = 48;

/** The show: an edge of light goes over the guest's photo and leaves the picture behind it. A touch ends it. */
export function Reveal({ photo, picture, title, onBegin, onEnd }: RevealProps) {
  const [shape, setShape] = useState<number>();
  const begin = useRef(onBegin);
  const end = useRef(onEnd);
  [begin.current, end.current] = [onBegin, onEnd];
  const isLoaded = shape !== undefined;
  useEffect(() => {
    if (!isLoaded) return;
    begin.current();
    const timer = setTimeout(() => end.current(), revealMs);
    return () => clearTimeout(timer);
  }, [isLoaded]);
  return (
    <button
      type="button"
      aria-label={title}
      onClick={onEnd}
      className="fixed inset-0 z-20 block bg-ground p-[4vmin]"
    >
      <FittedBox shape={shape ?? 2 / 3} className="shadow-float">
        <img
          src={picture}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setShape(naturalWidth / naturalHeight)
          }
          onError={onEnd}
          className="absolute inset-0 size-full object-cover"
        />
        <img
          src={photo}
          alt=""
          className={`absolute inset-0 size-full bg-black object-cover ${isLoaded ? 'animate-[uncover_1.8s_0.5s_cubic-bezier(0.6,0,0.2,1)_both]' : ''}`}
        />
        {isLoaded && (
          <span
            aria-hidden
            className="absolute inset-y-0 w-[3vmin] animate-[edge_1.8s_0.5s_cubic-bezier(0.6,0,0.2,1)_both] bg-white shadow-[0_0_9vmin_4vmin_var(--accent)]"
          />
        )}
      </FittedBox>
      {isLoaded && <Confetti />}
      {isLoaded && (
        <span className="absolute inset-x-0 bottom-[7vh] animate-[arrive_0.7s_2.1s_cubic-bezier(0.2,1.6,0.4,1)_both] text-center text-huge font-semibold text-white [text-shadow:0_2px_24px_rgb(0_0_0/0.8)]">
          {title}
        </span>
      )}
    </button>
  );
}

/** Paper in the colours of the event, thrown up when the picture is there. */
function Confetti() {
  const places = useMemo(
    () =>
      Array.from({ length: pieces }, (_, at) => ({
        '--x': `${(Math.random() - 0.5) * 110}vw`,
        '--y': `${-30 - Math.random() * 60}vh`,
        '--turn': `${(Math.random() - 0.5) * 1440}deg`,
        animationDelay: `${2 + Math.random() * 0.25}s`,
        background: ['var(--accent)', 'var(--ink)', 'color-mix(in srgb, var(--accent) 50%, white)'][at % 3],
      })),
    [],
  );
  return (
    <span aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden">
      {places.map((style, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place.
          key={at}
          style={style as CSSProperties}
          className="absolute bottom-[10vh] left-1/2 h-[2.2vmin] w-[1.2vmin] animate-[throw_2.2s_cubic-bezier(0.1,0.7,0.5,1)_forwards] opacity-0"
        />
      ))}
    </span>
  );
}
