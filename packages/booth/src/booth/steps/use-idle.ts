import { useEffect, useRef, useState } from 'react';

/** How long the question stays before the booth starts over. */
const warningSeconds = 10;
/**
 * How long the question stays after the touch that answers it. Were it gone before the finger is, the browser would give
 * the click to the button that lies below.
 */
const answerMs = 600;

/**
 * Calls back when nobody has touched anything for a while. Says how many seconds are left once the question should be
 * asked, and null before.
 */
export function useIdle(isOn: boolean, seconds: number, onIdle: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const idle = useRef(onIdle);
  idle.current = onIdle;
  useEffect(() => {
    if (!isOn) return;
    let touched = momentNow();
    let isAsked = false;
    let answered: ReturnType<typeof setTimeout> | undefined;
    const touch = () => {
      touched = momentNow();
      if (!isAsked) return;
      clearTimeout(answered);
      answered = setTimeout(() => {
        isAsked = false;
        setLeft(null);
      }, answerMs);
    };
    const timer = setInterval(() => {
      const remaining = Math.ceil(seconds - msSince(touched) / 1000);
      if (remaining <= warningSeconds) {
        isAsked = true;
        setLeft(Math.max(0, remaining));
      }
      if (remaining > 0) return;
      clearInterval(timer);
      idle.current();
    }, 500);
    const events = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'input'] as const;
    for (const name of events) document.addEventListener(name, touch, { passive: true });
    // Whoever closes the browser's print dialog is there, however long it was open.
    window.addEventListener('afterprint', touch);
    return () => {
      clearInterval(timer);
      clearTimeout(answered);
      setLeft(null);
      for (const name of events) document.removeEventListener(name, touch);
      window.removeEventListener('afterprint', touch);
    };
  }, [isOn, seconds]);
  return left;
}

/** By two clocks: one is set back when a tablet learns what time it is, the other may stand still while it sleeps. */
const momentNow = () => ({ time: Date.now(), ticks: performance.now() });
const msSince = ({ time, ticks }: ReturnType<typeof momentNow>) =>
  Math.max(Date.now() - time, performance.now() - ticks);
