import { CompareRange } from '@guise/web/compare-range.tsx';
import { useState } from 'react';
import { FittedBox } from './fitted-box.tsx';

interface CompareSliderProps {
  before: string;
  after: string;
  texts: { compare: string; before: string; after: string; picture: string };
  /** The picture is on the screen, or cannot be shown. */
  onShown?: () => void;
}

/** Before the picture has told its own. */
const usualShape = 2 / 3;

/** A picture over the photo it was made of, with an edge that is dragged. The picture has its own shape. */
export function CompareSlider({ before, after, texts, onShown }: CompareSliderProps) {
  const [share, setShare] = useState(100);
  const [shape, setShape] = useState(usualShape);
  const isInside = share > 2 && share < 98;
  return (
    <FittedBox shape={shape} className="bg-black">
      <img
        src={after}
        alt={texts.picture}
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setShape(naturalWidth / naturalHeight);
          onShown?.();
        }}
        onError={onShown}
        className="block size-full"
      />
      <img
        src={before}
        alt=""
        draggable={false}
        className="absolute inset-0 size-full bg-black object-cover"
        style={{ clipPath: `inset(0 0 0 ${share}%)` }}
      />
      {isInside && (
        <span
          aria-hidden
          className="absolute inset-y-0 w-1 -translate-x-1/2 bg-white"
          style={{ left: `${share}%` }}
        />
      )}
      <span
        aria-hidden
        className="absolute top-1/2 grid size-16 -translate-1/2 place-items-center rounded-full border-4 border-white bg-black/45 text-white"
        style={{ left: `clamp(2.75rem, ${share}%, 100% - 2.75rem)` }}
      >
        <svg viewBox="0 0 24 24" className="size-8" aria-hidden="true">
          <path d="M9 6l-5 6 5 6M15 6l5 6-5 6" fill="none" stroke="currentColor" strokeWidth="2.4" />
        </svg>
      </span>
      <Corner side="left" text={texts.after} isShown={isInside && share > 25} />
      <Corner side="right" text={texts.before} isShown={share < 75} />
      <CompareRange label={texts.compare} share={share} onShare={setShare} />
    </FittedBox>
  );
}

function Corner({ side, text, isShown }: { side: 'left' | 'right'; text: string; isShown: boolean }) {
  const place = side === 'left' ? 'left-3' : 'right-3';
  return (
    <span
      aria-hidden
      className={`absolute top-3 rounded-full bg-black/60 px-4 py-1.5 text-small text-white transition-opacity ${place} ${isShown ? '' : 'opacity-0'}`}
    >
      {text}
    </span>
  );
}
