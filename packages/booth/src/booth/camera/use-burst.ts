import { type RefObject, useEffect, useRef, useState } from 'react';
import { takePhoto } from './camera-program.ts';
import { photoOfVideo } from './take-photo.ts';

/** What a burst has brought. */
export interface Shots {
  /** As they are sent: the first alone, unless the style is made of all. */
  photos: readonly [Blob, ...Blob[]];
  /** Small ones of all shots, for the moving picture on the screen; none where one photo was taken. */
  frames: Blob[];
}

/** Shots of a burst, and the time between them. */
export const burstShots = 5;
const betweenMs = 400;
/** Between two photos of a strip, which have a countdown each: to see the one before. */
export const stripPauseMs = 900;
/** The longer side of a frame, in pixels. */
const frameSide = 640;

interface BurstOptions {
  /** Shots to take; one is no burst. */
  count: number;
  /** See `takePhoto`; a burst is of the video. */
  program: string;
  /** Whether all shots are sent, and not the first alone. */
  sendsAll: boolean;
  onShots(shots: Shots): void;
}

/** Takes the photo, and the shots that follow it. `shot` is the number of the last one; null before the first. */
export function useBurst(video: RefObject<HTMLVideoElement | null>, options: BurstOptions) {
  const [shot, setShot] = useState<number | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const photos = useRef<Promise<Blob>[]>([]);
  const frames = useRef<Promise<Blob>[]>([]);
  useEffect(() => {
    if (shot === null) return;
    let isOver = false;
    const { count, sendsAll, program } = latest.current;
    if (shot === 1 || sendsAll) photos.current.push(takePhoto(video.current!, sendsAll ? '' : program));
    if (count > 1) frames.current.push(photoOfVideo(video.current!, frameSide));
    const timer = shot < count ? setTimeout(() => setShot(shot + 1), betweenMs) : undefined;
    if (shot === count) performance.mark('guise-shutter');
    if (shot === count)
      void Promise.all([Promise.all(photos.current), Promise.all(frames.current)]).then(
        ([[first, ...others], small]) =>
          !isOver && latest.current.onShots({ photos: [first!, ...others], frames: small }),
        // The camera was pulled out: the shutter is there again for when it is back.
        () => !isOver && setShot(null),
      );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [shot, video]);
  return {
    shot,
    start() {
      photos.current = [];
      frames.current = [];
      setShot(1);
    },
  };
}
