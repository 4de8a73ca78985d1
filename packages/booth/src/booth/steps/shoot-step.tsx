import { useRef, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { CameraProblem } from '../camera/camera-problem.tsx';
import { CameraView } from '../camera/camera-view.tsx';
import { photoOfFile } from '../camera/take-photo.ts';
import { burstShots, type Shots, useBurst } from '../camera/use-burst.ts';
import { useCamera } from '../camera/use-camera.ts';
import { useCountdown } from '../camera/use-countdown.ts';
import { useShutterKeys } from '../camera/use-shutter-keys.ts';
import { useGuidance, type ViewGuidance } from '../faces/use-guidance.ts';
import { soundsOf, speak } from '../show/sounds.ts';
import type { StationSetup } from '../station/station.ts';
import { GuestFrame } from './guest-frame.tsx';

interface ShootStepProps {
  isGroup: boolean;
  setUp: StationSetup;
  /** Whether the style is made of a burst, and not of one photo. */
  needsBurst: boolean;
  notice: string | null;
  /** Leads several people to the styles for them; null where there are none, or the style takes them. */
  onGroupStyles: (() => void) | null;
  onBack(): void;
  onStop(): void;
  onShots(shots: Shots): void;
}

/** The mirror, what to do before the shutter, a countdown that can be read from afar, and a flash. */
export function ShootStep(props: ShootStepProps) {
  const { isGroup, setUp, needsBurst, notice, onGroupStyles, onBack, onStop, onShots } = props;
  const { shoot, problems } = useTexts().booth;
  const video = useRef<HTMLVideoElement>(null);
  const { state, retry } = useCamera(video, setUp.cameraId);
  const [isUnreadable, setUnreadable] = useState(false);
  const count = needsBurst || setUp.boomerang ? burstShots : 1;
  const { left, shot, isIdle, press } = useShutter(video, {
    setUp,
    sendsAll: needsBurst,
    count,
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
        {!isWorking && <CameraProblem problem={state} onRetry={retry} onFile={takeFile} />}
        {canShoot && <GuidanceNote view={view} />}
        {state === 'on' && left !== null && <BigNumber number={left} />}
        {shot !== null && shot < count && <Cue shot={shot} />}
      </div>
      {shot !== null && (
        <div
          key={shot}
          aria-hidden
          className="fixed inset-0 z-20 bg-white animate-[flash_0.4s_ease-out_both]"
        />
      )}
    </GuestFrame>
  );
}

interface ShutterOptions {
  setUp: StationSetup;
  count: number;
  sendsAll: boolean;
  onShots(shots: Shots): void;
}

/** The countdown, heard and spoken as the operator wants it, and the shots after it. */
function useShutter(video: React.RefObject<HTMLVideoElement | null>, options: ShutterOptions) {
  const language = useLanguage();
  const sounds = soundsOf(options.setUp.sound);
  const burst = useBurst(video, options);
  const countdown = useCountdown(
    (left) => {
      sounds.count(left);
      if (options.setUp.voice) speak(String(left), language);
    },
    () => {
      sounds.shutter();
      burst.start();
    },
  );
  const isIdle = countdown.left === null && burst.shot === null;
  return { left: countdown.left, shot: burst.shot, isIdle, press: countdown.start };
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
