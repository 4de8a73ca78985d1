import { useState } from 'react';

/**
 * A preview that fills its place, which has to be a size container. A wide one, as groups have, is shown whole where
 * the place is upright: cropped, it would cut people in half.
 */
export function PreviewPicture({ src, className = '' }: { src: string; className?: string }) {
  const [isWide, setWide] = useState(false);
  return (
    <div className={`absolute inset-0 overflow-hidden bg-black ${className}`}>
      {isWide && (
        <img src={src} alt="" className="absolute size-full scale-125 object-cover opacity-50 blur-2xl" />
      )}
      <img
        src={src}
        alt=""
        decoding="async"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setWide(naturalWidth > naturalHeight)}
        className={`absolute size-full object-cover object-[inherit] ${isWide ? '[@container_(max-aspect-ratio:5/4)]:object-contain' : ''}`}
      />
    </div>
  );
}
