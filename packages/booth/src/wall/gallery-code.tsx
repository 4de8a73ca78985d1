import { QrCode } from '@guise/web/qr-code.tsx';
import { useTexts } from '../shared/texts/texts.ts';

/** The way to the gallery for everybody in front of the wall. It changes its corner, so that it burns in nowhere. */
export function GalleryCode({ url }: { url: string }) {
  const texts = useTexts().wall;
  return (
    <aside className="wall-code">
      <QrCode text={url} label={texts.scan} className="size-[clamp(6rem,14vmin,12rem)] rounded-card" />
      <p className="text-small text-balance">{texts.scan}</p>
    </aside>
  );
}
