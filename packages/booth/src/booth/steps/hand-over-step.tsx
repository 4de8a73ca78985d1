import { QrCode } from '@guise/web/qr-code.tsx';
import { useLayoutEffect } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import type { GuestPhoto } from '../guests/booth-guests.ts';
import type { Guest } from '../guests/guest.ts';
import { DevelopingPhoto } from '../show/developing-photo.tsx';
import { type FollowedPicture, hasNoPicture } from './use-event-picture.ts';

interface HandOverStepProps {
  guest: Guest;
  photo: GuestPhoto | null;
  followed: FollowedPicture;
  isAway: boolean;
  /** Whether the photo would survive a reload. */
  isStored: boolean;
  onRetake(): void;
  onAgain: (() => void) | null;
  onLeave(): void;
}

/** The guest takes the picture along by phone while it is made, and the booth is free. */
export function HandOverStep(props: HandOverStepProps) {
  const { guest, photo, followed, isAway, onLeave } = props;
  const { handOver } = useTexts().booth;
  if (guest.job && hasNoPicture(followed)) return <Failed {...props} />;
  if (guest.job)
    return (
      <Code
        job={guest.job}
        isStrip={guest.made === 'shots'}
        progress={followed.picture?.progress ?? 0}
        {...{ photo, isAway, onLeave }}
      />
    );
  if (guest.obstacle) return <Waiting {...props} />;
  return (
    <main className="grid h-dvh place-items-center">
      <p role="status" className="animate-[appear_0.8s_ease-in] text-title">
        {handOver.sending}
      </p>
    </main>
  );
}

interface CodeProps {
  job: NonNullable<Guest['job']>;
  photo: GuestPhoto | null;
  isStrip: boolean;
  progress: number;
  isAway: boolean;
  onLeave(): void;
}

/** The guest's photo develops, and the code beside it is what to take along. */
function Code({ job, photo, isStrip, progress, isAway, onLeave }: CodeProps) {
  const { handOver } = useTexts().booth;
  useLayoutEffect(() => {
    performance.mark('guise-qr');
  }, []);
  return (
    <main className="flex h-dvh gap-[4vmin] p-[4vmin] portrait:flex-col">
      {photo && (
        <div className="min-h-0 min-w-0 flex-1">
          <DevelopingPhoto photo={photo} isStrip={isStrip} progress={progress} label={handOver.photo} />
        </div>
      )}
      <div
        className={`flex shrink-0 items-center justify-center gap-[3vmin] landscape:flex-col ${photo ? 'landscape:w-[42vw]' : 'm-auto flex-col'}`}
      >
        <QrCode
          text={job.guest_url}
          label={handOver.qr}
          className="size-[min(40vw,32vh)] shrink-0 rounded-card landscape:size-[min(30vw,42vh)]"
        />
        <div className="flex min-w-0 max-w-[34ch] flex-1 flex-col items-center gap-[1.6vmin] text-center landscape:flex-none">
          <h1 className="wrap-break-word">{handOver.title}</h1>
          <p role="status" className="text-small text-pretty text-ink-soft">
            {isAway ? handOver.away : handOver.making}
          </p>
          <progress
            aria-label={handOver.progress}
            value={Math.max(0.03, progress)}
            className="h-3 w-full overflow-hidden rounded-full bg-panel [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-panel [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
          />
          <BigButton kind="primary" onClick={onLeave}>
            {handOver.next}
          </BigButton>
        </div>
      </div>
    </main>
  );
}

/** No code can be shown without the server, which signs it; the number brings the guest back to the photo. */
function Waiting({ guest, isStored, onAgain, onLeave }: HandOverStepProps) {
  const { handOver, style } = useTexts().booth;
  const isUnpaid = guest.obstacle === 'budget';
  const reason = isUnpaid
    ? handOver.unpaid
    : guest.obstacle === 'paused'
      ? handOver.paused
      : handOver.waiting;
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <h1>{!isStored ? handOver.unstoredTitle : isUnpaid ? handOver.unpaidTitle : handOver.waitingTitle}</h1>
      <p className="max-w-[44ch] text-pretty">{isStored ? reason : handOver.unstored}</p>
      <output dir="ltr" aria-label={handOver.code} className="text-huge font-semibold tracking-[0.12em]">
        {guest.code}
      </output>
      <p className="text-ink-soft">{handOver.codeHint}</p>
      <div className="flex flex-wrap justify-center gap-4">
        <BigButton kind="primary" onClick={onLeave}>
          {handOver.remember}
        </BigButton>
        {isUnpaid && onAgain && <BigButton onClick={onAgain}>{style.again}</BigButton>}
      </div>
    </main>
  );
}

/** Why there is no picture, as the server says it. The photo was the reason most often, so another one comes first. */
function Failed({ guest, followed, onRetake, onAgain, onLeave }: HandOverStepProps) {
  const { handOver, result, style } = useTexts().booth;
  const left = guest.job?.pictures_left;
  const reason = followed.picture?.error;
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <h1 className="max-w-[22ch]">{handOver.failed}</h1>
      {reason && (
        <p lang="en" dir="auto" className="max-w-[40ch] text-pretty">
          {reason}
        </p>
      )}
      <p className="text-ink-soft">
        {handOver.notCounted}
        {left !== null && left !== undefined && ` ${result.left(left + 1)}.`}
      </p>
      <div className="flex flex-wrap justify-center gap-4">
        <BigButton kind="primary" onClick={onRetake}>
          {handOver.retake}
        </BigButton>
        {onAgain && <BigButton onClick={onAgain}>{style.again}</BigButton>}
        <BigButton onClick={onLeave}>{result.done}</BigButton>
      </div>
    </main>
  );
}
