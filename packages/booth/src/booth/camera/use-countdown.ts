import { useEffect, useRef, useState } from 'react';

const seconds = 3;

/** Counts 3, 2, 1 and calls back. */
export function useCountdown(onZero: () => void) {
  const [left, setLeft] = useState<number | null>(null);
  const zero = useRef(onZero);
  zero.current = onZero;
  useEffect(() => {
    if (left === null) return;
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1);
      setLeft(null);
      zero.current();
    }, 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: () => setLeft(seconds), cancel: () => setLeft(null) };
}
