import { CompareRange } from '@guise/web/compare-range.tsx';
import { SquareSplitHorizontal } from 'lucide-react';
import { useState } from 'react';
import { say } from '../words/say.ts';

interface CompareProps {
  before: string;
  after: string;
  alt: string;
  /** The most that the picture may take of the screen, such as `max-h-[60dvh]`. */
  size?: string;
}

/**
 * The picture that was made; on demand the photo beside it, with a line between them that can be moved. The photo is
 * shown whole, whatever the shape of the picture: somebody at its edge whom the filter left out must be seen.
 */
export function Compare({ before, after, alt, size = 'max-h-full' }: CompareProps) {
  const [isComparing, setIsComparing] = useState(false);
  const [share, setShare] = useState(50);
  return (
    <div className="relative inline-grid max-h-full min-h-12 max-w-full min-w-36 place-items-center select-none">
      <div className="relative max-w-full overflow-hidden rounded-card">
        <img src={after} alt={alt} className={`block max-w-full ${size}`} draggable={false} />
        {isComparing && (
          <>
            <img
              src={before}
              alt={say('Before')}
              draggable={false}
              className="absolute inset-0 size-full bg-panel object-contain"
              style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
            />
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-float after:absolute after:top-1/2 after:left-1/2 after:size-8 after:-translate-x-1/2 after:-translate-y-1/2 after:rounded-full after:border-2 after:border-white after:bg-black/30 after:backdrop-blur-sm"
              style={{ left: `${share}%` }}
            />
            <CompareRange label={say('Compare before and after')} share={share} onShare={setShare} />
          </>
        )}
      </div>
      <button
        type="button"
        onClick={() => setIsComparing(!isComparing)}
        className="absolute right-2 bottom-2 inline-flex min-h-9 items-center gap-2 rounded-card bg-black/70 px-3 text-small text-white hover:bg-black"
      >
        <SquareSplitHorizontal size={16} aria-hidden />
        {isComparing ? say('Hide the photo') : say('Compare')}
      </button>
    </div>
  );
}
