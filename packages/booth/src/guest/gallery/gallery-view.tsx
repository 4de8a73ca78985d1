import type { SharedPicture } from '@guise/contract/events/event-guests.ts';
import { Images, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readableOn, useBranding } from '../../shared/branding.ts';
import { useTexts } from '../../shared/texts/texts.ts';
import { ownPath } from '../guest-api.ts';
import { GuestButton } from '../guest-button.tsx';
import { MessagePage } from '../message-page.tsx';
import { TroubleNote } from '../trouble-note.tsx';
import { GalleryPicture } from './gallery-picture.tsx';
import { PasswordForm } from './password-form.tsx';
import { useGallery } from './use-gallery.ts';

/** The pictures of an event for whoever has the link. */
export function GalleryView({ token }: { token: string }) {
  const texts = useTexts().gallery;
  const gallery = useGallery(token);
  const [open, setOpen] = useState<string>();
  const { event, pictures } = gallery;
  const branding = event?.branding ?? {};
  useBranding({
    ...branding,
    background: branding.background ?? (branding.text && readableOn(branding.text)),
  });
  useEffect(() => {
    document.title = event?.name ?? texts.title;
  }, [event?.name, texts.title]);
  if (gallery.isLocked) return <PasswordForm unlock={gallery.unlock} />;
  if (!event)
    return gallery.trouble ? (
      <TroubleNote trouble={gallery.trouble} />
    ) : (
      <main className="min-h-dvh" aria-busy />
    );
  if (pictures.length === 0)
    return (
      <MessagePage icon={<Images />} title={texts.empty}>
        {texts.emptyHint}
      </MessagePage>
    );
  const at = pictures.findIndex(({ id }) => id === open);
  return (
    <main className="flex min-h-dvh flex-col gap-5 p-4 sm:p-8">
      <header className="text-center">
        <p className="text-small text-ink-soft">{texts.title}</p>
        <h1>
          <bdi>{event.name}</bdi>
        </h1>
      </header>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-5 xl:grid-cols-6">
        {pictures.map((picture, index) => (
          <li key={picture.id}>
            <Tile picture={picture} label={texts.picture(index + 1)} onOpen={() => setOpen(picture.id)} />
          </li>
        ))}
      </ul>
      {gallery.hasMore && (
        <GuestButton className="self-center" onClick={gallery.loadMore}>
          {texts.more}
        </GuestButton>
      )}
      {at >= 0 && (
        <GalleryPicture
          key={open}
          picture={pictures[at]!}
          eventName={event.name}
          label={texts.picture(at + 1)}
          go={(step) => setOpen(pictures[at + step]?.id ?? open)}
          hasPrevious={at > 0}
          hasNext={at < pictures.length - 1}
          onClose={() => setOpen(undefined)}
        />
      )}
    </main>
  );
}

interface TileProps {
  picture: SharedPicture;
  label: string;
  onOpen(): void;
}

function Tile({ picture, label, onOpen }: TileProps) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="relative block aspect-4/5 w-full overflow-hidden rounded-card bg-panel"
    >
      <img
        className={`size-full ${picture.has_overlay ? 'object-contain' : 'object-cover'}`}
        src={ownPath(picture.thumbnail_url)}
        alt={label}
        loading="lazy"
      />
      {picture.media_type.startsWith('video/') && (
        <Play className="absolute end-2 bottom-2 fill-white text-white drop-shadow" size={24} aria-hidden />
      )}
    </button>
  );
}
