import { useEffect, useRef, useState } from 'react';

/** How long the question stays before the booth starts over. */
const warningSeconds = 10;

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
    let touchedAt = Date.now();
    const touch = () => {
      touchedAt = Date.now();
      setLeft(null);
    };
    const timer = setInterval(() => {
      const remaining = Math.ceil(seconds - (Date.now() - touchedAt) / 1000);
      setLeft(remaining <= warningSeconds ? Math.max(0, remaining) : null);
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
      setLeft(null);
      for (const name of events) document.removeEventListener(name, touch);
      window.removeEventListener('afterprint', touch);
    };
  }, [isOn, seconds]);
  return left;
}
