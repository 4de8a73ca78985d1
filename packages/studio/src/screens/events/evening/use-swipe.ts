import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';

/** From here on a finger means it, in pixels. */
const leastSwipe = 56;
/** Below this a finger has not decided between a swipe and a tap. */
const leastMove = 8;

/** Follows a finger across an element: where it is, and which way it went in the end. The page still scrolls up and down. */
export function useSwipe(onSwipe: (way: 'left' | 'right') => void) {
  const start = useRef<number>(undefined);
  const hasMoved = useRef(false);
  const [offset, setOffset] = useState(0);
  const end = () => {
    start.current = undefined;
    setOffset(0);
  };
  return {
    offset,
    /** Whether the way so far would count. */
    way: Math.abs(offset) < leastSwipe ? null : offset < 0 ? ('left' as const) : ('right' as const),
    handlers: {
      onPointerDown(event: PointerEvent) {
        hasMoved.current = false;
        // A mouse has buttons for this.
        if (event.pointerType !== 'mouse') start.current = event.clientX;
      },
      onPointerMove(event: PointerEvent) {
        if (start.current === undefined) return;
        const moved = event.clientX - start.current;
        if (Math.abs(moved) < leastMove) return;
        hasMoved.current = true;
        setOffset(moved);
      },
      onPointerUp(event: PointerEvent) {
        const moved = start.current === undefined ? 0 : event.clientX - start.current;
        end();
        if (Math.abs(moved) >= leastSwipe) onSwipe(moved < 0 ? 'left' : 'right');
      },
      onPointerCancel: end,
      /** The end of a swipe over a link is no click on it. */
      onClickCapture(event: MouseEvent) {
        if (!hasMoved.current) return;
        hasMoved.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
