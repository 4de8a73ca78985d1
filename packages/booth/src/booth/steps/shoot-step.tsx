import { useRef, useState } from 'react';
import { useTexts } from '../../shared/texts/texts.ts';
import { CameraProblem } from '../camera/camera-problem.tsx';
import { CameraView } from '../camera/camera-view.tsx';
import { photoOfFile, photoOfVideo } from '../camera/take-photo.ts';
import { useCamera } from '../camera/use-camera.ts';
import { useCountdown } from '../camera/use-countdown.ts';
import { GuestFrame } from './guest-frame.tsx';

interface ShootStepProps {
  isGroup: boolean;
  isMirror: boolean;
  cameraId: string | null;
  notice: string | null;
  onBack(): void;
  onStop(): void;
  onPhoto(photo: Blob): void;
}

/** The mirror, a countdown that can be read from afar, and a flash. */
export function ShootStep(props: ShootStepProps) {
  const { isGroup, isMirror, cameraId, notice, onBack, onStop, onPhoto } = props;
  const { shoot, problems } = useTexts().booth;
  const video = useRef<HTMLVideoElement>(null);
  const { state, retry } = useCamera(video, cameraId);
  const [hasFlashed, setFlashed] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);
  const countdown = useCountdown(async () => {
    performance.mark('guise-shutter');
    setFlashed(true);
    onPhoto(await photoOfVideo(video.current!));
  });
  const takeFile = async (file: Blob) => {
    performance.mark('guise-shutter');
    try {
      onPhoto(await photoOfFile(file));
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
          <button
            type="button"
            aria-label={state === 'on' ? shoot.shutter : shoot.starting}
            disabled={state !== 'on' || countdown.left !== null}
            onClick={countdown.start}
            className="grid size-24 place-items-center rounded-full border-4 border-ink disabled:opacity-40"
          >
            <span className="size-18 rounded-full bg-accent" />
          </button>
        )
      }
    >
      <div className="relative size-full">
        {/* Stays while the camera is away: it is what the camera comes back to. */}
        <div className={isWorking ? 'size-full' : 'hidden'}>
          <CameraView video={video} isMirror={isMirror} isGroup={isGroup} />
        </div>
        {state === 'starting' && (
          <p className="absolute inset-0 grid place-items-center text-white">{shoot.starting}</p>
        )}
        {!isWorking && <CameraProblem problem={state} onRetry={retry} onFile={takeFile} />}
        {state === 'on' && countdown.left !== null && (
          // Low, so that guests see their faces above it; on a disc, because dresses are white too.
          <p
            key={countdown.left}
            role="timer"
            className="pointer-events-none absolute inset-0 grid animate-[count_1s_ease-out] place-content-end justify-center pb-[2vh] text-[min(30vw,30vh)] leading-none font-semibold text-white"
          >
            <span className="grid size-[1.25em] place-items-center rounded-full bg-black/60">
              {countdown.left}
            </span>
          </p>
        )}
      </div>
      {hasFlashed && (
        <div aria-hidden className="fixed inset-0 z-20 bg-white animate-[flash_0.4s_ease-out]" />
      )}
    </GuestFrame>
  );
}
