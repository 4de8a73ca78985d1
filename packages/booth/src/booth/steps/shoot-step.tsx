import { useEffect, useRef, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { CameraProblem } from '../camera/camera-problem.tsx';
import { CameraView } from '../camera/camera-view.tsx';
import { photoOfFile } from '../camera/take-photo.ts';
import { burstShots, type Shots, useBurst } from '../camera/use-burst.ts';
import { useCamera } from '../camera/use-camera.ts';
import { useCountdown } from '../camera/use-countdown.ts';
import { useShutterKeys } from '../camera/use-shutter-keys.ts';
import { useStrip } from '../camera/use-strip.ts';
import { useGuidance, type ViewGuidance } from '../faces/use-guidance.ts';
import type { TakeKind } from '../guests/guest.ts';
import { soundsOf, speak } from '../show/sounds.ts';
import type { StationSetup } from '../station/station.ts';
import { GuestFrame } from './guest-frame.tsx';

interface ShootStepProps {
  isGroup: boolean;
  setUp: StationSetup;
  /** What the style is made of. */
  take: { kind: TakeKind; parts: number };
  /** Whether guests get the quick shots as a moving picture. */
  hasMoments: boolean;
  notice: string | null;
  /** Leads several people to the styles for them; null where there are none, or the style takes them. */
  onGroupStyles: (() => void) | null;
  onBack(): void;
  onStop(): void;
  onShots(shots: Shots): void;
}

/** The mirror, what to do before the shutter, a countdown that can be read from afar, and a flash. */
export function ShootStep(props: ShootStepProps) {
  const { isGroup, setUp, take, notice, onGroupStyles, onBack, onStop, onShots } = props;
  const { shoot, problems } = useTexts().booth;
  const video = useRef<HTMLVideoElement>(null);
  const { state, retry } = useCamera(video, setUp.cameraId);
  const [isUnreadable, setUnreadable] = useState(false);
  const { left, shot, count, strip, isIdle, press } = useShutter(video, {
    setUp,
    take,
    hasCamera: state === 'on',
    hasQuickShots: props.hasMoments || setUp.boomerang,
    onShots,
  });
  const canShoot = state === 'on' && isIdle;
  useShutterKeys(canShoot ? press : null);
  const view = useGuidance(video, { isOn: canShoot, isGroup });
  const takeFile = async (file: Blob) => {
    performance.mark('guise-shutter');
    try {
      onShots({ photos: [await photoOfFile(file)], frames: [] });
    } catch {
      setUnreadable(true);
    }
  };
  const isWorking = state === 'on' || state === 'starting';
  return (
    <GuestFrame
      title={isGroup ? shoot.titleGroup : shoot.title}
      notice={isUnreadable ? problems.photo : notice}
      onBack={onBack}
      onStop={onStop}
      actions={
        isWorking && (
          <>
            <button
              type="button"
              aria-label={state === 'on' ? shoot.shutter : shoot.starting}
              disabled={!canShoot}
              onClick={press}
              className="grid size-24 place-items-center rounded-full border-4 border-ink disabled:opacity-40"
            >
              <span className="size-18 rounded-full bg-accent" />
            </button>
            {canShoot && onGroupStyles && view.people > 1 && (
              <BigButton onClick={onGroupStyles}>{shoot.groupStyles}</BigButton>
            )}
          </>
        )
      }
    >
      <div className="relative size-full">
        {/* Stays while the camera is away: it is what the camera comes back to. */}
        <div className={isWorking ? 'size-full' : 'hidden'}>
          <CameraView video={video} isMirror={setUp.mirror} isGroup={isGroup} />
        </div>
        {state === 'starting' && (
          <p className="absolute inset-0 grid place-items-center text-white">{shoot.starting}</p>
        )}
        {!isWorking && (
          // The app takes one photo, and a burst cannot be made of one.
          <CameraProblem problem={state} onRetry={retry} onFile={take.kind === 'burst' ? null : takeFile} />
        )}
        {canShoot && <GuidanceNote view={view} />}
        {state === 'on' && left !== null && <BigNumber number={left} />}
        {shot !== null && shot < count && <Cue shot={shot} />}
        {setUp.cameraProgram !== '' && !isIdle && left === null && <Wait />}
        {state === 'on' && take.kind === 'shots' && <StripSoFar photos={strip} count={take.parts} />}
      </div>
      {(shot !== null || strip.length > 0) && (
        <div
          key={shot ?? strip.length}
          aria-hidden
          className="pointer-events-none fixed inset-0 z-20 animate-[flash_0.4s_ease-out_both] bg-white motion-reduce:hidden"
        />
      )}
    </GuestFrame>
  );
}

interface ShutterOptions {
  setUp: StationSetup;
  take: ShootStepProps['take'];
  hasCamera: boolean;
  hasQuickShots: boolean;
  onShots(shots: Shots): void;
}

/** The countdown, heard and spoken as the operator wants it, and the shots after it; a strip has a countdown for each. */
function useShutter(
  video: React.RefObject<HTMLVideoElement | null>,
  { setUp, take, hasCamera, hasQuickShots, onShots }: ShutterOptions,
) {
  const language = useLanguage();
  const sounds = soundsOf(setUp.sound);
  const isStrip = take.kind === 'shots';
  const needsBurst = take.kind === 'burst';
  const count = needsBurst || (hasQuickShots && !isStrip) ? burstShots : 1;
  const burst = useBurst(video, {
    count,
    sendsAll: needsBurst,
    program: setUp.cameraProgram,
    onShots,
  });
  const [isUnderWay, setUnderWay] = useState(false);
  const strip = useStrip(video, {
    count: take.parts,
    program: setUp.cameraProgram,
    onNext: () => countdown.start(),
    onShots,
    onFailed: () => setUnderWay(false),
  });
  const countdown = useCountdown(
    (left) => {
      sounds.count(left);
      if (setUp.voice) speak(String(left), language);
    },
    () => {
      sounds.shutter();
      if (isStrip) void strip.shoot();
      else burst.start();
    },
  );
  const press = () => {
    setUnderWay(isStrip);
    strip.begin();
    countdown.start();
  };
  // Without a camera nobody is counted down for, and a strip begins anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the camera goes.
  useEffect(() => {
    if (hasCamera) return;
    countdown.cancel();
    strip.begin();
    setUnderWay(false);
  }, [hasCamera]);
  const isIdle = countdown.left === null && burst.shot === null && !isUnderWay;
  return { left: countdown.left, shot: burst.shot, count, strip: strip.urls, isIdle, press };
}

/** A camera by cable gives its photo some seconds after it was released. */
function Wait() {
  const { handOver } = useTexts().booth;
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-0 grid place-items-center bg-black/50 text-title text-white"
    >
      {handOver.sending}
    </p>
  );
}

/** The photos of a strip that there are, and which one is next. */
function StripSoFar({ photos, count }: { photos: readonly string[]; count: number }) {
  const { shoot } = useTexts().booth;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex flex-col items-start gap-2 px-3">
      <p role="status" className="rounded-full bg-black/70 px-5 py-2 text-small font-semibold text-white">
        {shoot.shotOf(Math.min(photos.length + 1, count), count)}
      </p>
      <div className="flex gap-2">
        {photos.map((photo) => (
          <img
            key={photo}
            src={photo}
            alt=""
            className="h-[9vh] rounded-lg border-2 border-white bg-black object-cover"
          />
        ))}
      </div>
    </div>
  );
}

/** What to do before the shutter, above the faces. */
function GuidanceNote({ view: { guidance } }: { view: ViewGuidance }) {
  const { shoot } = useTexts().booth;
  if (guidance === null) return null;
  const look = guidance === 'ready' ? 'bg-accent text-on-accent' : 'bg-black/70 text-white';
  return (
    <p
      role="status"
      className={`pointer-events-none absolute top-3 left-1/2 w-max max-w-[92%] -translate-x-1/2 rounded-[2rem] px-6 py-3 text-center text-base font-semibold text-balance ${look}`}
    >
      {shoot.guidance[guidance]}
    </p>
  );
}

/** Low, so that guests see their faces above it; on a disc, because dresses are white too. */
function BigNumber({ number }: { number: number }) {
  return (
    <p
      key={number}
      role="timer"
      className="pointer-events-none absolute inset-0 grid animate-[count_1s_ease-out] place-content-end justify-center pb-[2vh] text-[min(30vw,30vh)] leading-none font-semibold text-white"
    >
      <span className="grid size-[1.25em] place-items-center rounded-full bg-black/60">{number}</span>
    </p>
  );
}

/** What a guest does between two shots of a burst. */
function Cue({ shot }: { shot: number }) {
  const { shoot } = useTexts().booth;
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-0 bottom-[4vh] text-center text-huge font-semibold text-white [text-shadow:0_2px_24px_rgb(0_0_0/0.8)]"
    >
      {shoot.cues[shot < 3 ? 'laugh' : 'wave']}
    </p>
  );
}
