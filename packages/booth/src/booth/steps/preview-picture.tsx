import { useState } from 'react';

/**
 * A preview that fills its place, which has to be a size container. A wide one, as groups have, is shown whole where
 * the place is upright: cropped, it would cut people in half.
 */
export function PreviewPicture({ src, className = '' }: { src: string; className?: string }) {
  const [isWide, setWide] = useState(false);
  return (
    <img
      src={src}
      alt=""
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setWide(naturalWidth > naturalHeight)}
      className={`absolute inset-0 size-full bg-black object-cover ${className} ${isWide ? '[@container_(max-aspect-ratio:5/4)]:object-contain' : ''}`}
    />
  );
}
