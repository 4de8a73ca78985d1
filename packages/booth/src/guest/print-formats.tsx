import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { Texts } from '../shared/texts/en.ts';
import { useTexts } from '../shared/texts/texts.ts';
import { fileName } from './file-name.ts';
import { guests } from './guest-api.ts';
import { GuestButton } from './guest-button.tsx';

interface PrintFormatsProps {
  token: string;
  id: string;
  eventName: string;
  isVideo: boolean;
}

type Layout = keyof Texts['guest']['prints'];

/** The picture as a file for a print shop or a printer at home. A video has none. */
export function PrintFormats({ token, id, eventName, isVideo }: PrintFormatsProps) {
  const texts = useTexts().guest;
  const [loading, setLoading] = useState<Layout>();
  const [hasFailed, setHasFailed] = useState(false);
  if (isVideo) return null;
  const save = async (layout: Layout) => {
    setLoading(layout);
    setHasFailed(false);
    try {
      const print = await guests.print(token, id, { layout, format: 'png' });
      saveBlob(new Blob([print], { type: 'image/png' }), fileName(eventName, 'png', `-${layout}`));
    } catch {
      setHasFailed(true);
    } finally {
      setLoading(undefined);
    }
  };
  return (
    <details className="group rounded-card border">
      <summary className="flex min-h-12 cursor-pointer items-center justify-center gap-2.5 px-5 text-small">
        <Printer size={20} aria-hidden /> {texts.print}
      </summary>
      <div className="flex flex-wrap gap-2 p-3 pt-0">
        {(Object.keys(texts.prints) as Layout[]).map((layout) => (
          <GuestButton
            key={layout}
            className="flex-1 px-3! whitespace-nowrap"
            busy={loading === layout}
            disabled={loading !== undefined}
            onClick={() => save(layout)}
          >
            {texts.prints[layout]}
          </GuestButton>
        ))}
      </div>
      <p role="alert" className="pb-3 text-center text-small text-danger empty:hidden">
        {hasFailed && texts.notLoaded}
      </p>
    </details>
  );
}

function saveBlob(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  // Browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
