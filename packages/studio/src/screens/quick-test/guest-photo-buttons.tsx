import { Camera } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { Photo } from '../../photo/photo.ts';
import { Button } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';

const CameraDialog = lazy(() =>
  import('../../photo/camera-dialog.tsx').then((m) => ({ default: m.CameraDialog })),
);

interface GuestPhotoButtonsProps {
  /** Whether this is the next thing to do. */
  isFirst: boolean;
  onFile(file: File | undefined): void;
  onPhoto(photo: Photo): void;
}

/** Takes or chooses a photo. */
export function GuestPhotoButtons({ isFirst, onFile, onPhoto }: GuestPhotoButtonsProps) {
  const id = useId();
  const [isShooting, setShooting] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        kind={isFirst ? 'primary' : 'plain'}
        className={isFirst ? 'min-h-12 w-full' : 'flex-1'}
        icon={<Camera size={18} aria-hidden />}
        onClick={() => setShooting(true)}
      >
        {isFirst ? say('Take a photo') : say('Take another')}
      </Button>
      <label
        htmlFor={id}
        className={`inline-flex items-center justify-center rounded-card border bg-raised px-3.5 has-focus-visible:outline-2 hover:border-ink-soft ${isFirst ? 'min-h-12 w-full' : 'min-h-10 flex-1'}`}
      >
        {isFirst ? say('Choose a photo') : say('Choose another')}
        <input
          id={id}
          type="file"
          accept="image/*,.heic,.heif"
          className="sr-only"
          onChange={(event) => {
            onFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
      <Suspense>
        {isShooting && <CameraDialog onClose={() => setShooting(false)} onPhoto={onPhoto} />}
      </Suspense>
    </div>
  );
}
