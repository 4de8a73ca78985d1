import type { EventPicture } from '@guise/contract/events/event-guests.ts';
import { CircleAlert, Clock, Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fileEndingOf, isLoop, isVideo } from '../shared/media.ts';
import { useLanguage, useTexts } from '../shared/texts/texts.ts';
import { ConfirmErase } from './confirm-erase.tsx';
import { FileActions } from './file-actions.tsx';
import { fileName } from './file-name.ts';
import { ownPath } from './guest-api.ts';
import { GuestButton, GuestLink } from './guest-button.tsx';
import { MailForm } from './mail-form.tsx';
import { PrintFormats } from './print-formats.tsx';
import { ShownFile } from './shown-file.tsx';
import { usePictureFile } from './use-picture-file.ts';

interface GuestPictureProps {
  token: string;
  picture: EventPicture;
  eventName: string;
  /** Whether the picture may be sent by mail. */
  mayMail: boolean;
  erase(): Promise<void>;
}

/** One picture from the queue to its end, with what its guest may do with it. */
export function GuestPicture({ token, picture, eventName, mayMail, erase }: GuestPictureProps) {
  const texts = useTexts().guest;
  const language = useLanguage();
  const [confirms, setConfirms] = useState(false);
  const isFilm = isVideo(picture);
  const file = usePictureFile(picture.url, {
    name: fileName(eventName, fileEndingOf(picture)),
    // A video is shown while it loads. A loop is small, and is shared most.
    isRead: !isFilm || isLoop(picture),
  });
  return (
    <li className="flex flex-col gap-4">
      {picture.url ? (
        <>
          <ShownFile picture={picture} file={file} label={isFilm ? texts.video : texts.picture} />
          <FileActions file={file} gif={picture.gif_url && ownPath(picture.gif_url)} />
          <PrintFormats
            token={token}
            id={picture.id}
            eventName={eventName}
            isVideo={isFilm && !isLoop(picture)}
          />
        </>
      ) : (
        <PictureState picture={picture} eventName={eventName} />
      )}
      {picture.url && picture.moment_url && <Moment url={picture.moment_url} eventName={eventName} />}
      {mayMail && picture.status !== 'FAILED' && picture.status !== 'EXPIRED' && (
        <MailForm token={token} id={picture.id} />
      )}
      <div className="flex flex-col items-center text-center text-small text-ink-soft">
        {picture.url && <p className="text-balance">{texts.kept(timeIn(language, picture.expires_at))}</p>}
        <GuestButton
          kind="danger"
          className="px-2!"
          icon={<Trash2 size={18} aria-hidden />}
          onClick={() => setConfirms(true)}
        >
          {texts.remove}
        </GuestButton>
      </div>
      {confirms && (
        <ConfirmErase
          question={texts.confirm}
          action={texts.remove}
          erase={erase}
          onClose={() => setConfirms(false)}
        />
      )}
    </li>
  );
}

/** The quick shots of the booth as a moving picture: there before the picture is. */
function Moment({ url, eventName }: { url: string; eventName: string }) {
  const texts = useTexts().guest;
  const href = ownPath(url);
  return (
    <figure className="flex flex-col items-center gap-3">
      <img src={href} alt={texts.moving} className="max-h-[50dvh] max-w-full rounded-card" />
      <GuestLink href={href} download={fileName(eventName, 'gif')} icon={<Download size={20} aria-hidden />}>
        GIF
      </GuestLink>
    </figure>
  );
}

/** How far a picture is, or why there is none. */
function PictureState({ picture, eventName }: Pick<GuestPictureProps, 'picture' | 'eventName'>) {
  const { status, progress, error, moment_url } = picture;
  const texts = useTexts().guest;
  if (status === 'FAILED' || status === 'EXPIRED') {
    const isFailed = status === 'FAILED';
    return (
      <div className="flex aspect-4/5 flex-col items-center justify-center gap-3 rounded-card border bg-panel p-6 text-center">
        {isFailed ? <CircleAlert size={40} aria-hidden /> : <Clock size={40} aria-hidden />}
        <p className="font-medium">{isFailed ? texts.failed : texts.gone}</p>
        {isFailed && error && (
          <p lang="en" dir="auto" className="text-small text-ink-soft">
            {error}
          </p>
        )}
      </div>
    );
  }
  const percent = Math.round(progress * 100);
  const isMade = status === 'RUNNING';
  return (
    <div className="flex flex-col gap-4">
      {moment_url ? (
        <Moment url={moment_url} eventName={eventName} />
      ) : (
        <div className="waiting-shape aspect-4/5 max-h-[60dvh] w-full rounded-card" />
      )}
      <div className="flex flex-col gap-2 text-center" aria-live="polite">
        <p className="font-medium">{isMade ? texts.making : texts.waiting}</p>
        {isMade && percent > 0 && <ProgressBar label={texts.making} percent={percent} />}
        <p className="text-small text-ink-soft">{texts.stay}</p>
      </div>
    </div>
  );
}

function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  );
}

function timeIn(language: string, time: string): string {
  const shape = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat(language, shape).format(new Date(time));
}
