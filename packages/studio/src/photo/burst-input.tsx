import { Images, Trash2, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { say } from '../words/say.ts';
import { addToBurst, type Burst, isComplete, mostShots, noBurst } from './burst.ts';

interface BurstInputProps {
  burst: Burst;
  onChange(burst: Burst): void;
}

/** Drop or choose the photos of a burst, or a short video. */
export function BurstInput({ burst, onChange }: BurstInputProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { take, isReading, problem } = useBurstFiles(burst, onChange);
  const isEmpty = burst.photos.length === 0 && !burst.video;
  return (
    <section
      aria-label={say('Burst')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take([...event.dataTransfer.files]);
      }}
      className="flex shrink-0 flex-col gap-3"
    >
      {isEmpty ? (
        <EmptyBurst inputId={id} isOver={isOver} isReading={isReading} />
      ) : (
        <>
          {burst.video ? (
            <video
              src={burst.video.url}
              muted
              autoPlay
              loop
              playsInline
              aria-label={burst.video.name}
              className="mx-auto max-h-[40dvh] max-w-full rounded-card"
            />
          ) : (
            <Shots burst={burst} isOver={isOver} onChange={onChange} />
          )}
          <BurstButtons inputId={id} burst={burst} onChange={onChange} />
        </>
      )}
      <input
        id={id}
        type="file"
        multiple
        accept="image/*,.heic,.heif,video/mp4,video/quicktime,video/webm"
        className="sr-only"
        aria-label={say('Photos of a burst, or a video')}
        onChange={(event) => {
          take([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {problem && (
        <p role="alert" className="text-lost">
          {problem}
        </p>
      )}
    </section>
  );
}

function EmptyBurst(props: { inputId: string; isOver: boolean; isReading: boolean }) {
  const { inputId, isOver, isReading } = props;
  return (
    <div
      className={`flex flex-col items-center justify-center gap-3 rounded-card border border-dashed px-4 py-10 text-center ${isOver ? 'border-accent bg-panel' : 'border-ink-soft'}`}
    >
      <Images size={28} strokeWidth={1.4} className="text-ink-soft" aria-hidden />
      <p className="text-ink-soft">
        {isReading
          ? say('Reading the photos…')
          : say('Drop 2 to 8 photos that were taken one after the other')}
      </p>
      <label
        htmlFor={inputId}
        className="inline-flex min-h-10 items-center rounded-card border bg-raised px-3.5 focus-within:outline-2 hover:border-ink-soft"
      >
        {say('Choose photos or a video')}
      </label>
      <p className="text-small text-ink-soft">
        {say('A second or two, with the camera fixed. A video may be 10 s long.')}
      </p>
    </div>
  );
}

function Shots({ burst, isOver, onChange }: BurstInputProps & { isOver: boolean }) {
  return (
    <ol aria-label={say('Shots')} className={`grid grid-cols-4 gap-2 ${isOver ? 'opacity-40' : ''}`}>
      {burst.photos.map((photo, at) => (
        <li key={photo.url} className="relative">
          <img
            src={photo.url}
            alt={say('Shot {number}: {name}', { number: at + 1, name: photo.name })}
            className="aspect-[2/3] w-full rounded-card bg-panel object-cover"
          />
          {/* Smaller than other buttons: a shot is not much larger, and its face must be seen. */}
          <button
            type="button"
            aria-label={say('Remove shot {number}', { number: at + 1 })}
            title={say('Remove shot {number}', { number: at + 1 })}
            className="absolute right-1 bottom-1 grid size-6 place-items-center rounded-full bg-black/60 text-white hover:bg-black/80"
            onClick={() => onChange({ ...burst, photos: burst.photos.filter((other) => other !== photo) })}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ol>
  );
}

function BurstButtons({ inputId, burst, onChange }: BurstInputProps & { inputId: string }) {
  const canAdd = !burst.video && burst.photos.length < mostShots;
  return (
    <div className="flex items-center justify-center gap-1">
      <label htmlFor={inputId} className="rounded-card px-3 py-2 text-small text-ink-soft hover:text-ink">
        {canAdd
          ? isComplete(burst)
            ? say('Add photos')
            : say('Add at least one more photo')
          : say('Replace')}
      </label>
      <IconButton label={say('Remove all')} onClick={() => onChange(noBurst)}>
        <Trash2 size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

/** Reads files into a burst, and says why one cannot be read until something else is chosen. */
function useBurstFiles(burst: Burst, onBurst: (burst: Burst) => void) {
  const [problem, setProblem] = useState<string>();
  const [isReading, setReading] = useState(false);
  const latest = useRef(burst);
  latest.current = burst;
  const reading = useRef(Promise.resolve());
  // Files that come while others are read join those.
  const take = (files: readonly File[]) => {
    reading.current = reading.current.then(() => takeNext(files));
  };
  const takeNext = async (files: readonly File[]) => {
    if (files.length === 0) return;
    setProblem(undefined);
    setReading(true);
    try {
      const { current } = latest;
      const isFull = current.video !== undefined || current.photos.length === mostShots;
      const next = await addToBurst(isFull ? noBurst : current, files);
      latest.current = next;
      onBurst(next);
    } catch (error) {
      setProblem(errorSentence(error));
    } finally {
      setReading(false);
    }
  };
  return { take, isReading, problem };
}
