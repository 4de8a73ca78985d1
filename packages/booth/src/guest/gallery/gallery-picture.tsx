import type { SharedPicture } from '@guise/contract/events/event-guests.ts';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { fileEndingOf, isVideo } from '../../shared/media.ts';
import { useTexts } from '../../shared/texts/texts.ts';
import { FileActions } from '../file-actions.tsx';
import { fileName } from '../file-name.ts';
import { ShownFile } from '../shown-file.tsx';
import { usePictureFile } from '../use-picture-file.ts';

interface GalleryPictureProps {
  picture: SharedPicture;
  eventName: string;
  label: string;
  go(step: -1 | 1): void;
  hasPrevious: boolean;
  hasNext: boolean;
  onClose(): void;
}

/** One picture of a gallery, large, with arrows to its neighbours. */
export function GalleryPicture({ picture, eventName, label, go, ...props }: GalleryPictureProps) {
  const texts = useTexts().gallery;
  const dialog = useRef<HTMLDialogElement>(null);
  const file = usePictureFile(picture.url, {
    name: fileName(eventName, fileEndingOf(picture)),
    isRead: !isVideo(picture),
  });
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={props.onClose}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') go(-1);
        if (key === 'ArrowRight') go(1);
      }}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-ground p-4 text-ink"
    >
      <div className="mx-auto flex h-full max-w-4xl flex-col justify-center gap-4">
        <div className="flex items-center justify-between">
          <div className="flex gap-1">
            <Arrow label={texts.previous} disabled={!props.hasPrevious} onClick={() => go(-1)}>
              <ChevronLeft aria-hidden />
            </Arrow>
            <Arrow label={texts.next} disabled={!props.hasNext} onClick={() => go(1)}>
              <ChevronRight aria-hidden />
            </Arrow>
          </div>
          <Arrow label={texts.close} onClick={() => dialog.current?.close()}>
            <X aria-hidden />
          </Arrow>
        </div>
        <div className="grid min-h-0 flex-1 place-items-center">
          <ShownFile picture={picture} file={file} label={label} className="max-h-[72dvh]" />
        </div>
        <FileActions file={file} />
      </div>
    </dialog>
  );
}

interface ArrowProps {
  label: string;
  disabled?: boolean;
  onClick(): void;
  children: ReactNode;
}

function Arrow({ label, ...props }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...props}
      className="grid size-12 place-items-center rounded-card hover:bg-panel disabled:opacity-30"
    />
  );
}
