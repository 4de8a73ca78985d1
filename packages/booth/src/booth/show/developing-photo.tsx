import { useState } from 'react';
import { FittedBox } from '../../shared/fitted-box.tsx';
import type { GuestPhoto } from '../guests/booth-guests.ts';
import { MovingPhoto } from './moving-photo.tsx';
import { PhotoSheet } from './photo-sheet.tsx';

interface DevelopingPhotoProps {
  photo: Pick<GuestPhoto, 'url' | 'frames' | 'all'>;
  /** Whether all photos are made into pictures, and not the first. */
  isStrip: boolean;
  /** How far the picture is, from 0 to 1. */
  progress: number;
  label: string;
}

/** The guest's own photo, which gains its colours as the picture is made, as a photo in a bath of developer does. */
export function DevelopingPhoto({ photo, isStrip, progress, label }: DevelopingPhotoProps) {
  const [shape, setShape] = useState(3 / 4);
  const left = 1 - Math.min(1, Math.max(0, progress));
  const filter = `grayscale(${0.9 * left}) sepia(${0.5 * left}) brightness(${1 + 0.35 * left}) contrast(${1 - 0.35 * left})`;
  if (isStrip)
    return (
      <div style={{ filter }} className="size-full transition-[filter] duration-1000">
        <PhotoSheet photos={photo.all} alt={label} />
      </div>
    );
  return (
    <FittedBox shape={shape} className="bg-black">
      <div style={{ filter }} className="absolute inset-0 transition-[filter] duration-1000">
        <MovingPhoto photo={photo.url} frames={photo.frames} alt={label} onShape={setShape} />
      </div>
      <span
        aria-hidden
        className="absolute inset-x-0 top-0 h-1/3 animate-[develop_3.2s_ease-in-out_infinite] bg-linear-to-b from-transparent to-white/35"
      />
    </FittedBox>
  );
}
