import { useState } from 'react';

interface CompareProps {
  before: string;
  after: string;
  alt: string;
  /** The most that the picture may take of the screen, such as `max-h-[60dvh]`. */
  size?: string;
}

/** A photo and the picture made of it, with a line between them that can be moved. */
export function Compare({ before, after, alt, size = 'max-h-full' }: CompareProps) {
  const [share, setShare] = useState(50);
  return (
    <div className="relative inline-block max-h-full max-w-full overflow-hidden rounded-card select-none">
      <img src={after} alt={alt} className={`block max-w-full ${size}`} draggable={false} />
      <img
        src={before}
        alt="Before"
        draggable={false}
        className="absolute inset-0 size-full bg-panel object-cover"
        style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-float after:absolute after:top-1/2 after:left-1/2 after:size-8 after:-translate-x-1/2 after:-translate-y-1/2 after:rounded-full after:border-2 after:border-white after:bg-black/30 after:backdrop-blur-sm"
        style={{ left: `${share}%` }}
      />
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        onChange={(event) => setShare(event.target.valueAsNumber)}
        aria-label="Compare before and after"
        className="absolute inset-0 m-0 size-full cursor-ew-resize opacity-0"
      />
    </div>
  );
}
