import type { EventPicture } from '@guise/contract/events/event-guests.ts';
import { isLoop } from '../shared/media.ts';
import { ownPath } from './guest-api.ts';
import type { PictureFile } from './use-picture-file.ts';

interface ShownFileProps {
  picture: Pick<EventPicture, 'thumbnail_url' | 'poster_url' | 'media_type'>;
  file: PictureFile;
  label: string;
  className?: string;
}

/** The picture, its thumbnail while it loads, or the video; a living portrait plays by itself and has nothing to stop. */
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
        poster={picture.poster_url === undefined ? thumbnail : ownPath(picture.poster_url)}
        aria-label={label}
        controls={!isLoop(picture)}
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
