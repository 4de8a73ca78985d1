import { Camera, Crop, ImagePlus, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { say } from '../words/say.ts';
import { type Photo, readPhoto } from './photo.ts';

const CameraDialog = lazy(() => import('./camera-dialog.tsx').then((m) => ({ default: m.CameraDialog })));
const CropDialog = lazy(() => import('./crop-dialog.tsx').then((m) => ({ default: m.CropDialog })));

interface PhotoInputProps {
  label: string;
  /** Where a page has several inputs. */
  showsLabel?: boolean;
  photo: Photo | undefined;
  onChange(photo: Photo | undefined): void;
  /** Takes pictures that are pasted into the page. Only one input of a page may. */
  takesPasted?: boolean;
  /** How high the photo may become. */
  size?: string;
  /** Marks over the photo. */
  overlay?: ReactNode;
  /** Below the buttons of an empty input. */
  children?: ReactNode;
}

type PhotoDialog = 'camera' | 'crop';

/** Drop, paste, choose or shoot a photo; crop it. */
export function PhotoInput(props: PhotoInputProps) {
  const { label, showsLabel = false, photo, onChange, takesPasted = false, overlay, children } = props;
  const { size = 'max-h-[52dvh]' } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [dialog, setDialog] = useState<PhotoDialog>();
  const { take, isReading, problem } = usePhotoFile(photo, onChange);
  usePastedFile(takesPasted, take);

  return (
    <section
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      className="flex shrink-0 flex-col gap-3"
    >
      {showsLabel && <h2 className="text-small font-medium">{label}</h2>}
      {photo ? (
        <div>
          <div className="relative mx-auto w-fit">
            <img
              src={photo.url}
              alt={`${label}: ${photo.name}`}
              className={`${size} max-w-full rounded-card ${isOver ? 'opacity-40' : ''}`}
            />
            {overlay}
          </div>
          <PhotoButtons inputId={id} onDialog={setDialog} onRemove={() => onChange(undefined)} />
        </div>
      ) : (
        <EmptyInput inputId={id} isOver={isOver} isReading={isReading} onCamera={() => setDialog('camera')}>
          {children}
        </EmptyInput>
      )}
      <input
        id={id}
        type="file"
        accept="image/*,.heic,.heif"
        className="sr-only"
        aria-label={label}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {problem && (
        <p role="alert" className="text-lost">
          {problem}
        </p>
      )}
      <Suspense>
        {dialog === 'camera' && <CameraDialog onClose={() => setDialog(undefined)} onPhoto={onChange} />}
        {dialog === 'crop' && photo && (
          <CropDialog photo={photo} onClose={() => setDialog(undefined)} onPhoto={onChange} />
        )}
      </Suspense>
    </section>
  );
}

interface PhotoButtonsProps {
  inputId: string;
  onDialog(dialog: PhotoDialog): void;
  onRemove(): void;
}

function PhotoButtons({ inputId, onDialog, onRemove }: PhotoButtonsProps) {
  return (
    <div className="mt-2 flex items-center justify-center gap-1">
      <label htmlFor={inputId} className="rounded-card px-3 py-2 text-small text-ink-soft hover:text-ink">
        {say('Replace')}
      </label>
      <IconButton label={say('Crop the photo')} onClick={() => onDialog('crop')}>
        <Crop size={18} aria-hidden />
      </IconButton>
      <IconButton label={say('Take another photo')} onClick={() => onDialog('camera')}>
        <Camera size={18} aria-hidden />
      </IconButton>
      <IconButton label={say('Remove the photo')} onClick={onRemove}>
        <Trash2 size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

interface EmptyInputProps {
  inputId: string;
  /** Whether a file is being dragged over it. */
  isOver: boolean;
  isReading: boolean;
  onCamera(): void;
  children: ReactNode;
}

function EmptyInput({ inputId, isOver, isReading, onCamera, children }: EmptyInputProps) {
  return (
    <div
      className={`flex flex-col items-center justify-center gap-3 rounded-card border border-dashed px-4 py-10 text-center ${isOver ? 'border-accent bg-panel' : 'border-ink-soft'}`}
    >
      <ImagePlus size={28} strokeWidth={1.4} className="text-ink-soft" aria-hidden />
      <p className="text-ink-soft">{isReading ? say('Reading the photo…') : say('Drop or paste a photo')}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <label
          htmlFor={inputId}
          className="inline-flex min-h-10 items-center rounded-card border bg-raised px-3.5 focus-within:outline-2 hover:border-ink-soft"
        >
          {say('Choose a photo')}
        </label>
        <Button icon={<Camera size={17} aria-hidden />} onClick={onCamera}>
          {say('Camera')}
        </Button>
      </div>
      {children}
    </div>
  );
}

/** Reads files as photos, and says why one cannot be read until there is another photo. */
function usePhotoFile(photo: Photo | undefined, onPhoto: (photo: Photo) => void) {
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  // Another photo has come from elsewhere, such as the samples.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the photo is another one
  useEffect(() => setProblem(undefined), [photo]);
  const latest = useRef<File>(undefined);
  const shown = useRef(photo);
  if (shown.current !== photo) {
    // A photo that was removed or replaced elsewhere was so after the file was chosen; one that comes where there was
    // none may be that which this browser kept.
    if (shown.current) latest.current = undefined;
    shown.current = photo;
  }
  const take = async (file: File | undefined) => {
    if (!file) return;
    latest.current = file;
    setProblem(undefined);
    setReading(true);
    try {
      const read = await readPhoto(file, file.name);
      if (latest.current === file) onPhoto(read);
    } catch (error) {
      if (latest.current === file) setProblem(errorSentence(error));
    } finally {
      if (latest.current === file || latest.current === undefined) setReading(false);
    }
  };
  return { take, isReading, problem };
}

function usePastedFile(isOn: boolean, take: (file: File) => void): void {
  useEffect(() => {
    if (!isOn) return;
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (!file) return;
      event.preventDefault();
      take(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });
}
