import { useState } from 'react';

interface CompareSliderProps {
  before: string;
  after: string;
  texts: { compare: string; before: string; after: string; picture: string };
  className?: string;
}

/** A picture over the photo it was made of, with an edge that is dragged. The picture has its own shape. */
export function CompareSlider({ before, after, texts, className = '' }: CompareSliderProps) {
  const [share, setShare] = useState(100);
  return (
    <div className={`relative overflow-hidden rounded-card bg-black ${className}`}>
      <img src={after} alt={texts.picture} draggable={false} className="block size-full object-contain" />
      <div className="absolute inset-0" style={{ clipPath: `inset(0 0 0 ${share}%)` }}>
        <img src={before} alt="" draggable={false} className="size-full bg-black object-cover" />
      </div>
      <div
        aria-hidden
        className="absolute inset-y-0 w-1 -translate-x-1/2 bg-white"
        style={{ left: `${share}%` }}
      >
        <span className="absolute top-1/2 left-1/2 size-12 -translate-1/2 rounded-full border-4 border-white bg-black/40" />
      </div>
      <Corner side="left" text={texts.after} isShown={share > 25} />
      <Corner side="right" text={texts.before} isShown={share < 75} />
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={texts.compare}
        onChange={(event) => setShare(event.target.valueAsNumber)}
        className="absolute inset-0 size-full cursor-ew-resize opacity-0"
      />
    </div>
  );
}

function Corner({ side, text, isShown }: { side: 'left' | 'right'; text: string; isShown: boolean }) {
  const place = side === 'left' ? 'left-3' : 'right-3';
  return (
    <span
      aria-hidden
      className={`absolute top-3 rounded-full bg-black/60 px-3 py-1 text-small text-white transition-opacity ${place} ${isShown ? '' : 'opacity-0'}`}
    >
      {text}
    </span>
  );
}
