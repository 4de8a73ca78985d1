import type { NewPrintPreview } from '@guise/contract/events/prints.ts';
import { useEffect, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';

/** After the last edit. */
const waitMs = 400;

/** A print with the look that is being edited, made by the server; null asks for none. The one before stays until the next is there. */
export function usePrintPreview(wanted: NewPrintPreview | null): string | null {
  const guise = useGuise();
  const [url, setUrl] = useState<string | null>(null);
  const asked = JSON.stringify(wanted);
  useEffect(() => {
    if (asked === 'null') return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      guise.events.previewPrint(JSON.parse(asked), left.signal).then(
        ({ image }) => {
          const bytes = Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0));
          setUrl(URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' })));
        },
        // A colour that is half typed: the next edit asks again.
        () => {},
      );
    }, waitMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [guise, asked]);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}
