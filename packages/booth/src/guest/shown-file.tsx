import { ownPath } from './guest-api.ts';
import type { PictureFile } from './use-picture-file.ts';

interface ShownFileProps {
  picture: { url: string; thumbnail_url: string | null; media_type: string };
  file: PictureFile;
  label: string;
  className?: string;
}

/** The picture, its thumbnail while it loads, or the video. */
export function ShownFile({
  picture,
  file,
  label,
  className = 'max-h-[70dvh] md:max-h-[62dvh]',
}: ShownFileProps) {
  const frame = `mx-auto w-auto max-w-full rounded-card ${className}`;
  const thumbnail = picture.thumbnail_url === null ? undefined : ownPath(picture.thumbnail_url);
  if (picture.media_type.startsWith('video/'))
    return (
      <video
        className={frame}
        src={file.href}
        poster={thumbnail}
        aria-label={label}
        controls
        playsInline
        muted
        autoPlay
        loop
      />
    );
  const isRead = file.href.startsWith('blob:');
  return (
    <img
      className={`${frame} ${isRead ? '' : 'min-h-[50dvh] object-contain'}`}
      src={isRead || thumbnail === undefined ? file.href : thumbnail}
      alt={label}
    />
  );
}
