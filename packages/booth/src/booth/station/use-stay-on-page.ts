import { useEffect } from 'react';

/** A swipe or a back button must not lead guests out of the booth, nor a long touch to a menu. */
export function useStayOnPage(): void {
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
