import { useState } from 'react';
import { FittedBox } from '../../shared/fitted-box.tsx';

interface PhotoSheetProps {
  photos: readonly [string, ...string[]];
  alt: string;
  onShown?: (() => void) | undefined;
}

/** A photo as large as its place allows; several side by side, two in each row. */
export function PhotoSheet({ photos, alt, onShown }: PhotoSheetProps) {
  const [shape, setShape] = useState(3 / 4);
  const isOne = photos.length === 1;
  const rows = Math.ceil(photos.length / 2);
  return (
    <FittedBox shape={isOne ? shape : (2 * shape) / rows} className={isOne ? '' : 'bg-transparent'}>
      <div className={`grid size-full gap-[1vmin] ${isOne ? '' : 'grid-cols-2'}`}>
        {photos.map((photo, at) => (
          <img
            key={photo}
            src={photo}
            alt={isOne ? alt : `${alt} ${at + 1}`}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              if (at === 0) setShape(naturalWidth / naturalHeight);
              onShown?.();
            }}
            onError={onShown}
            className={`size-full min-h-0 object-cover ${isOne ? '' : 'rounded-xl'}`}
          />
        ))}
      </div>
    </FittedBox>
  );
}
