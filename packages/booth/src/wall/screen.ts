import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whether the screen is set to show no motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Fades an element in at the start and whenever its layout changes. The pictures in it stay loaded. */
export function useFadeIn(layout: string): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout is the occasion, its value is not needed.
  useLayoutEffect(() => {
    if (!prefersReducedMotion())
      element.current?.animate({ opacity: [0, 1] }, { duration: 1200, easing: 'ease' });
  }, [layout]);
  return element;
}

export function useWindowSize(): { width: number; height: number } {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
  useEffect(() => {
    const onResize = () => setSize({ width: innerWidth, height: innerHeight });
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  return size;
}

/** Keeps the screen on while the page is seen, and fills it at the first click or key. */
export function useStayAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const stayAwake = () => {
      // A browser that has none, or a battery that is low, leaves the screen to its own settings.
      if (!document.hidden)
        navigator.wakeLock?.request('screen').then(
          (taken) => {
            lock = taken;
          },
          () => {},
        );
    };
    const fillScreen = () => {
      if (!document.fullscreenElement) document.documentElement.requestFullscreen?.().catch(() => {});
    };
    stayAwake();
    document.addEventListener('visibilitychange', stayAwake);
    document.addEventListener('click', fillScreen);
    document.addEventListener('keydown', fillScreen);
    return () => {
      document.removeEventListener('visibilitychange', stayAwake);
      document.removeEventListener('click', fillScreen);
      document.removeEventListener('keydown', fillScreen);
      lock?.release().catch(() => {});
    };
  }, []);
}
