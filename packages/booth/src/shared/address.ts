/** The last part of the page's address: an event or a token. */
export function lastPathPart(): string {
  return decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '');
}
