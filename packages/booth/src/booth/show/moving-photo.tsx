import { useEffect, useState } from 'react';
import { motionIsReduced } from './motion.ts';

interface MovingPhotoProps {
  /** For `<img>`: the photo, where there is nothing that moves. */
  photo: string;
  /** Small shots of the same moment. */
  frames: readonly string[];
  alt: string;
  onShape?(shape: number): void;
}

const frameMs = 130;

/** The shots of a burst forwards and backwards, over and over; else the photo. */
export function MovingPhoto({ photo, frames, alt, onShape }: MovingPhotoProps) {
  const shown = useTurn(frames.length);
  const images = frames.length > 1 ? frames : [photo];
  return images.map((src, at) => (
    <img
      key={src}
      src={src}
      alt={at === 0 ? alt : ''}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onShape?.(naturalWidth / naturalHeight)}
      // All stay decoded: one that appears is there at once.
      className={`absolute inset-0 size-full object-cover ${at === shown ? '' : 'opacity-0'}`}
    />
  ));
}

/** 0, 1, 2, 1, 0 and so on. */
function useTurn(count: number): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (count < 2 || motionIsReduced()) return;
    const timer = setInterval(() => setTurn((before) => before + 1), frameMs);
    return () => clearInterval(timer);
  }, [count]);
  if (count < 2) return 0;
  const at = turn % (2 * count - 2);
  return at < count ? at : 2 * count - 2 - at;
}
