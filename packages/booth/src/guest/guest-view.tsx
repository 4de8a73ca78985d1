import type { GuestPage } from '@guise/contract/events/event-guests.ts';
import { CloudOff, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readableOn, useBranding } from '../shared/branding.ts';
import { inLanguage, useLanguage, useTexts } from '../shared/texts/texts.ts';
import { ConfirmErase } from './confirm-erase.tsx';
import type { Trouble } from './guest-api.ts';
import { GuestButton } from './guest-button.tsx';
import { GuestPicture } from './guest-picture.tsx';
import { MessagePage } from './message-page.tsx';
import { TroubleNote } from './trouble-note.tsx';
import { isInWork, useGuest } from './use-guest.ts';

/** Everything that a guest made at an event. */
export function GuestView({ token }: { token: string }) {
  const { page, trouble, erase } = useGuest(token);
  if (page) return <Pictures token={token} page={page} trouble={trouble} erase={erase} />;
  return trouble ? <TroubleNote trouble={trouble} /> : <main className="min-h-dvh" aria-busy />;
}

interface PicturesProps {
  token: string;
  page: GuestPage;
  trouble: Trouble | undefined;
  erase(id?: string): Promise<void>;
}

function Pictures({ token, page: { event, pictures }, trouble, erase }: PicturesProps) {
  const texts = useTexts().guest;
  const language = useLanguage();
  const [isErased, setIsErased] = useState(false);
  const [confirmsAll, setConfirmsAll] = useState(false);
  const { background, text } = event.branding;
  useBranding({ ...event.branding, background: background ?? (text && readableOn(text)) });
  useEffect(() => {
    document.title = event.name;
  }, [event.name]);
  const thanks = inLanguage(event.texts, language)?.thanks;
  const eraseAndTell = async (id?: string) => {
    await erase(id);
    setIsErased(true);
  };
  if (pictures.length === 0)
    return (
      <MessagePage icon={<Trash2 />} title={texts.empty}>
        {texts.emptyHint}
      </MessagePage>
    );
  return (
    <main className="mx-auto flex min-h-dvh max-w-6xl flex-col gap-5 px-4 py-5 sm:px-8 sm:py-8">
      <header className="text-center">
        <p className="text-small text-ink-soft">
          <bdi>{event.name}</bdi>
        </p>
        <h1>{pictures.length > 1 ? texts.titleMany : texts.title}</h1>
      </header>
      {trouble && (
        <p role="status" className="flex items-center justify-center gap-2 text-small text-ink-soft">
          <CloudOff size={18} aria-hidden /> {trouble === 'busy' ? texts.busyHint : texts.awayHint}
        </p>
      )}
      <ul
        className={`grid gap-8 ${pictures.length > 1 ? 'md:grid-cols-2 lg:grid-cols-3' : 'mx-auto w-full max-w-xl'}`}
      >
        {pictures.map((picture) => (
          <GuestPicture
            key={picture.id}
            token={token}
            picture={picture}
            eventName={event.name}
            mayMail={event.mail}
            erase={() => eraseAndTell(picture.id)}
          />
        ))}
      </ul>
      <p role="status" className="text-center text-small text-ink-soft empty:hidden">
        {isErased && texts.removed}
      </p>
      <footer className="mt-auto flex flex-col items-center gap-4 text-center text-small text-ink-soft">
        {thanks && <p className="max-w-prose whitespace-pre-line text-ink">{thanks}</p>}
        {pictures.some(isInWork) ? (
          <p className="max-w-prose">{texts.photoInWork}</p>
        ) : (
          // What shows the photo itself would belie it, and a picture that failed was never ready.
          pictures.every(({ url, moment_url }) => url && !moment_url) && (
            <p className="max-w-prose">{texts.photo}</p>
          )
        )}
        {pictures.length > 1 && (
          <GuestButton kind="danger" onClick={() => setConfirmsAll(true)}>
            {texts.removeAll}
          </GuestButton>
        )}
      </footer>
      {confirmsAll && (
        <ConfirmErase
          question={texts.confirmAll}
          action={texts.removeAll}
          erase={() => eraseAndTell()}
          onClose={() => setConfirmsAll(false)}
        />
      )}
    </main>
  );
}
