import { eventGuestsApi, galleriesApi } from '@guise/client/events-api.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import { Transport } from '@guise/client/transport.ts';

/** The page polls and says so when the server is away: a request that is sent again by itself would only be late. */
const transport = new Transport({ baseUrl: '', retries: 0 });
export const guests = eventGuestsApi(transport);
export const galleries = galleriesApi(transport);

/** A file by its signed link, read from the host of this page whatever the link names. */
export async function readFile(url: string, signal?: AbortSignal): Promise<Blob> {
  return (await transport.open(ownPath(url), { signal })).blob();
}

/** A link of the server as a path of this page's host. */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}

/** Why there is nothing to show. */
export type Trouble = 'unknown' | 'expired' | 'away' | 'busy';

/** Throws what is no answer of the server and no lost connection. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof GuiseError)) throw error;
  // A proxy, whose 404 tells nothing of the link.
  if (error.code.startsWith('HTTP_')) return 'away';
  if (error.status === 410) return 'expired';
  if (error.status === 404) return 'unknown';
  return error.status === 429 ? 'busy' : 'away';
}
