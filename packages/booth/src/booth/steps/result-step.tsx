import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { QrCode } from '@guise/web/qr-code.tsx';
import { Printer, Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { CompareSlider } from '../../shared/compare-slider.tsx';
import { isLoop } from '../../shared/media.ts';
import { inLanguage, useLanguage, useTexts } from '../../shared/texts/texts.ts';
import type { Guest } from '../guests/guest.ts';
import { motionIsReduced } from '../show/motion.ts';
import { PhotoSheet } from '../show/photo-sheet.tsx';
import { Reveal } from '../show/reveal.tsx';

interface ResultStepProps {
  guest: Guest;
  photo: string | null;
  picture: BoothPicture | undefined;
  /** All pictures of a strip, in their order. */
  strip: readonly BoothPicture[];
  thanks: Readonly<Record<string, { thanks: string }>>;
  /** Whether the guest has waited here for the picture, and sees it for the first time. */
  isFresh: boolean;
  /** The picture begins to appear. */
  onReveal(): void;
  /** The picture is on the screen, or cannot be shown. */
  onShown(): void;
  /** The signal says that the guest has left the picture. */
  onPrint(signal: AbortSignal): Promise<void>;
  onAgain: (() => void) | null;
  /** Another photo for the same style. */
  onRetake: (() => void) | null;
  onLeave(): void;
}

/** The picture beside the photo it was made of, and what can be done with it. */
export function ResultStep(props: ResultStepProps) {
  const { guest, photo, picture, strip, thanks, onShown, onPrint, onAgain, onRetake, onLeave } = props;
  const language = useLanguage();
  const { result, handOver } = useTexts().booth;
  const isVideo = picture?.media_type.startsWith('video/') ?? false;
  // A living portrait plays by itself, and its still is printed.
  const isPortrait = picture !== undefined && isLoop(picture);
  const left = guest.job?.pictures_left ?? null;
  const ownThanks = inLanguage(thanks, language)?.thanks;
  const [isRevealed, setRevealed] = useState(!props.isFresh || motionIsReduced());
  const isShow = !isRevealed && !isVideo && photo !== null && picture?.url != null;
  // Whatever has no show has its sound all the same.
  const { isFresh, onReveal } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the guest sees it.
  useEffect(() => {
    if (isFresh && !isShow) onReveal();
  }, []);
  return (
    <main className="flex h-dvh gap-[3vmin] p-[3vmin] portrait:flex-col">
      {isShow && (
        <Reveal
          photo={photo}
          picture={picture.url!}
          title={result.title}
          onBegin={onReveal}
          onEnd={() => setRevealed(true)}
        />
      )}
      <div className="min-h-0 min-w-0 flex-1">
        {strip.length > 1 ? (
          <PhotoSheet photos={urlsOf(strip)} alt={result.picture} onShown={onShown} />
        ) : (
          picture?.url && <ShownPicture url={picture.url} {...{ picture, photo, onShown }} />
        )}
      </div>
      <div className="flex shrink-0 items-center gap-[3vmin] landscape:w-[30vw] landscape:flex-col landscape:justify-center">
        {guest.job && (
          <figure className="flex shrink-0 flex-col items-center gap-2">
            <QrCode
              text={guest.job.guest_url}
              label={handOver.qr}
              className="size-[min(32vw,22vh)] rounded-card landscape:size-[min(22vw,34vh)]"
            />
            <figcaption className="w-min min-w-full text-center text-small text-balance text-ink-soft">
              {result.scan}
            </figcaption>
          </figure>
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-3 landscape:w-full landscape:flex-none">
          <h1
            className={`text-center text-balance wrap-break-word ${ownThanks ? 'portrait:text-title' : 'hidden landscape:block'}`}
          >
            {ownThanks || result.title}
          </h1>
          {(!isVideo || isPortrait) && <PrintButton onPrint={onPrint} />}
          {onAgain && (
            <BigButton icon={<Sparkles size={26} aria-hidden />} onClick={onAgain}>
              <span>
                {result.again}
                <PicturesLeft count={left} />
              </span>
            </BigButton>
          )}
          {onRetake && (
            <BigButton kind="quiet" onClick={onRetake}>
              <span className="text-balance">
                <span className="underline decoration-1 underline-offset-6">{result.retake}</span>
                {!onAgain && <PicturesLeft count={left} />}
              </span>
            </BigButton>
          )}
          <BigButton kind="primary" onClick={onLeave}>
            {result.done}
          </BigButton>
        </div>
      </div>
    </main>
  );
}

const urlsOf = (pictures: readonly BoothPicture[]) =>
  pictures.flatMap(({ url }) => url ?? []) as [string, ...string[]];

interface ShownPictureProps {
  url: string;
  picture: BoothPicture;
  photo: string | null;
  onShown(): void;
}

/** The video, the picture over its photo, or the picture alone. */
function ShownPicture({ url, picture, photo, onShown }: ShownPictureProps) {
  const { result } = useTexts().booth;
  if (picture.media_type.startsWith('video/'))
    return (
      <video
        src={url}
        autoPlay
        loop
        muted
        playsInline
        controls={!isLoop(picture)}
        poster={picture.poster_url}
        onLoadedData={onShown}
        onError={onShown}
        aria-label={result.picture}
        className="mx-auto size-full rounded-card bg-black object-contain"
      />
    );
  if (photo) return <CompareSlider before={photo} after={url} texts={result} onShown={onShown} />;
  return (
    <img
      src={url}
      alt={result.picture}
      onLoad={onShown}
      onError={onShown}
      className="mx-auto size-full rounded-card object-contain"
    />
  );
}

function PicturesLeft({ count }: { count: number | null }) {
  const { result } = useTexts().booth;
  if (count === null) return null;
  return <span className="block text-small font-normal text-ink-soft">{result.left(count)}</span>;
}

function PrintButton({ onPrint }: Pick<ResultStepProps, 'onPrint'>) {
  const { result } = useTexts().booth;
  const [state, setState] = useState<'idle' | 'printing' | 'failed'>('idle');
  const left = useRef<AbortController>(null);
  useEffect(() => () => left.current?.abort(), []);
  const print = () => {
    setState('printing');
    left.current?.abort();
    left.current = new AbortController();
    onPrint(left.current.signal).then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  return (
    <>
      <BigButton icon={<Printer size={26} aria-hidden />} disabled={state === 'printing'} onClick={print}>
        {state === 'printing' ? result.printing : result.print}
      </BigButton>
      {state === 'failed' && (
        <p role="alert" className="text-center text-small">
          {result.printFailed}
        </p>
      )}
    </>
  );
}
