import { useEffect } from 'react';

/**
 * A swipe or a back button must not lead guests out of the booth, nor a long touch to a menu. While something is kept in
 * the memory of this page alone, the browser asks before it closes or reloads the page.
 */
export function useStayOnPage(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHeld]);
  useEffect(() => {
    history.pushState(null, '');
    const stay = () => history.pushState(null, '');
    const ignore = (event: Event) => event.preventDefault();
    window.addEventListener('popstate', stay);
    document.addEventListener('contextmenu', ignore);
    return () => {
      window.removeEventListener('popstate', stay);
      document.removeEventListener('contextmenu', ignore);
    };
  }, []);
}
