import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The part of the shell that scrolls. */
const scrolledPage = () => document.getElementById('page');

interface ScrollListOptions {
  /** How many rows there are, and how high each is. */
  rows: number;
  rowHeight: number;
  /** Reads more; called when the last rows come near. */
  onNearEnd: (() => void) | undefined;
}

/** The rows of a long list that are in sight, while the whole page scrolls. */
export function useScrollList(list: RefObject<HTMLElement | null>, options: ScrollListOptions) {
  const { rows, rowHeight, onNearEnd } = options;
  // What stands above the list. Looked at only when its size changes: asking makes the browser lay the page out.
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const page = scrolledPage();
    const element = list.current;
    if (!element || !page) return;
    const look = () => {
      const top = element.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
      setMargin(Math.round(top));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(page);
    return () => observer.disconnect();
  }, [list]);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: scrolledPage,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollMargin: margin,
    // Rows are made ready before they come into sight; drawing them within the scroll event would hold it up.
    useFlushSync: false,
  });
  const lastHeight = useRef(rowHeight);
  useLayoutEffect(() => {
    if (lastHeight.current === rowHeight) return;
    lastHeight.current = rowHeight;
    virtualizer.measure();
  }, [rowHeight, virtualizer]);

  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // Two screens ahead, so that whoever scrolls slowly never waits.
  const isNearEnd = last >= rows - 1 - Math.ceil((2 * window.innerHeight) / rowHeight);
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);

  return { items, height: virtualizer.getTotalSize(), offset: margin };
}

/** Whether the page stands at its beginning. */
export function useIsAtTop(): boolean {
  const [isAtTop, setIsAtTop] = useState(true);
  useEffect(() => {
    const page = scrolledPage();
    if (!page) return;
    const look = () => setIsAtTop(page.scrollTop < 8);
    look();
    page.addEventListener('scroll', look, { passive: true });
    return () => page.removeEventListener('scroll', look);
  }, []);
  return isAtTop;
}

export function scrollToTop(): void {
  scrolledPage()?.scrollTo({ top: 0 });
}

/** The width of an element, as it is now. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    setWidth(Math.round(element.current.getBoundingClientRect().width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
