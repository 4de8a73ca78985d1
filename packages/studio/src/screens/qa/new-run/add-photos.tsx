import { ImagePlus } from 'lucide-react';
import { useId } from 'react';
import { say } from '../../../words/say.ts';

interface AddPhotosProps {
  isEmpty: boolean;
  isReadOnly: boolean;
  onFiles(files: File[]): void;
}

/** Where own photos come in: many at once, dropped or chosen. */
export function AddPhotos({ isEmpty, isReadOnly, onFiles }: AddPhotosProps) {
  const id = useId();
  return (
    <div
      className={`flex flex-col items-center justify-center gap-3 rounded-card border border-dashed border-ink-soft px-4 text-center ${isEmpty ? 'min-h-72 py-10' : 'py-6'}`}
    >
      <ImagePlus size={28} strokeWidth={1.4} className="text-ink-soft" aria-hidden />
      <p className="max-w-sm text-ink-soft">
        {isReadOnly
          ? say('Drop your own photos to make a set of them.')
          : say('Drop photos, many at once. They are kept until you remove them.')}
      </p>
      <label
        htmlFor={id}
        className="inline-flex min-h-10 items-center rounded-card border bg-raised px-3.5 has-focus-visible:outline-2 hover:border-ink-soft"
      >
        {say('Choose photos')}
        <input
          id={id}
          type="file"
          multiple
          accept="image/*,.heic,.heif"
          className="sr-only"
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </label>
    </div>
  );
}
