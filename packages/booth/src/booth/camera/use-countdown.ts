import { useEffect, useRef, useState } from 'react';

const seconds = 3;

/** Counts 3, 2, 1 and calls back, for each of them and at the end. */
export function useCountdown(onCount: (left: number) => void, onZero: () => void) {
  const [left, setLeft] = useState<number | null>(null);
  const zero = useRef(onZero);
  zero.current = onZero;
  const count = useRef(onCount);
  count.current = onCount;
  useEffect(() => {
    if (left === null) return;
    count.current(left);
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1);
      setLeft(null);
      zero.current();
    }, 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: () => setLeft(seconds), cancel: () => setLeft(null) };
}
