import { lookup } from 'node:dns/promises';

/** The addresses of a host name; rejects when it has none. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Node looks up names on the four threads that read files as well, and a resolver that does not answer holds one for
 * some 20 s. Two at a time leave the other two to files, whatever names callers send.
 */
const mostAtOnce = 2;

export function createNameLookup(lookUp: (host: string) => Promise<string[]> = systemAddresses): ResolveName {
  let running = 0;
  const waiting: (() => void)[] = [];
  const free = () => {
    running--;
    waiting.shift()?.();
  };
  return async (host, signal) => {
    while (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      // The caller may have gone while it waited.
      signal.throwIfAborted();
      return await lookUp(host);
    } finally {
      free();
    }
  };
}

async function systemAddresses(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
