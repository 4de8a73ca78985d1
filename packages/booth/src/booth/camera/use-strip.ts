import { type RefObject, useEffect, useRef, useState } from 'react';
import { takePhoto } from './camera-program.ts';
import { type Shots, stripPauseMs } from './use-burst.ts';

interface StripOptions {
  /** Photos to take. */
  count: number;
  /** See `takePhoto`. */
  program: string;
  /** Begins the countdown before the next one. */
  onNext(): void;
  onShots(shots: Shots): void;
  /** The camera gave no photo. */
  onFailed(): void;
}

/** The photos of a strip, one after the other. `urls` are for `<img>`. */
export function useStrip(video: RefObject<HTMLVideoElement | null>, options: StripOptions) {
  const [urls, setUrls] = useState<readonly string[]>([]);
  const photos = useRef<Blob[]>([]);
  const shown = useRef<readonly string[]>([]);
  shown.current = urls;
  const latest = useRef(options);
  latest.current = options;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      photos.current = [];
      for (const url of shown.current) URL.revokeObjectURL(url);
    },
    [],
  );
  return {
    urls,
    begin() {
      clearTimeout(timer.current);
      for (const url of shown.current) URL.revokeObjectURL(url);
      photos.current = [];
      setUrls([]);
    },
    async shoot() {
      const strip = photos.current;
      const photo = await takePhoto(video.current!, latest.current.program).catch(() => null);
      // A camera by cable takes seconds, in which the guest may have gone and another one come.
      if (photos.current !== strip) return;
      if (!photo) return latest.current.onFailed();
      strip.push(photo);
      setUrls((before) => [...before, URL.createObjectURL(photo)]);
      const [first, ...others] = strip;
      if (strip.length < latest.current.count)
        timer.current = setTimeout(() => latest.current.onNext(), stripPauseMs);
      else {
        performance.mark('guise-shutter');
        latest.current.onShots({ photos: [first!, ...others], frames: [] });
      }
    },
  };
}
