/** Keeps a text for the next start of this page. A browser that has no room for it does not stop the page. */
export function keepText(place: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch (error) {
    console.warn('The browser does not keep this for the next start.', place, error);
  }
}
