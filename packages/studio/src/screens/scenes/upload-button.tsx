import { ImagePlus, LoaderCircle } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { primaryLink } from '../filters/primary-link.ts';

interface UploadButtonProps {
  busy: boolean;
  onFile(file: File): void;
  children: ReactNode;
}

/** Chooses the picture of a place. */
export function UploadButton({ busy, onFile, children }: UploadButtonProps) {
  const id = useId();
  return (
    <span className="rounded-card focus-within:outline-2 focus-within:outline-offset-2">
      <label htmlFor={id} aria-busy={busy} className={`${primaryLink} ${busy ? 'opacity-60' : ''}`}>
        {busy ? (
          <LoaderCircle size={17} className="animate-spin" aria-hidden />
        ) : (
          <ImagePlus size={17} aria-hidden />
        )}
        {children}
      </label>
      <input
        id={id}
        type="file"
        accept="image/*,.heic,.heif"
        className="sr-only"
        disabled={busy}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </span>
  );
}
