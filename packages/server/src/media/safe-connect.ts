import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Client } from 'undici';
import { mayConnectTo } from './public-address.ts';
import { urlNotAllowed } from './refusal.ts';

export interface SafeConnectOptions {
  /** For the whole of it: names, redirects and body. */
  timeoutMs: number;
  /** For venues whose machines stand beside this one: lifts the private and loopback ranges alone. */
  allowPrivate?: boolean;
  /** A host name's addresses; the system's resolver unless given. */
  resolve?: (host: string) => Promise<string[]>;
}

/** Signed links of object stores come near 2,000 characters. */
const maxUrlLength = 8192;

/** A caller's URL as far as it can be judged without asking for its name. */
export function parseAllowed(input: string, base?: URL): URL {
  if (input.length > maxUrlLength || !URL.canParse(input, base?.href)) throw urlNotAllowed();
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlNotAllowed();
  if (url.username || url.password) throw urlNotAllowed();
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // Below 1024 are mail, file shares, shells and directories; what callers point to is on none of them.
  if (port !== 80 && port !== 443 && port < 1024) throw urlNotAllowed();
  return url;
}

/** Refuses what `connectSafely` would refuse whatever the names say then: for URLs that are called later. */
export function checkUrl(input: string, allowPrivate = false): void {
  const host = bareHost(parseAllowed(input));
  if (isIP(host) && !mayConnectTo(host, allowPrivate)) throw urlNotAllowed();
}

/**
 * A client for a caller's URL that does not let the caller reach what this server can reach. The host's addresses
 * are looked up once, all of them are checked, and the connection is made to those same addresses, so a name that
 * changes its answer in between gains nothing. To be destroyed after use.
 */
export async function connectSafely(
  url: URL,
  options: SafeConnectOptions,
  signal: AbortSignal,
): Promise<Client> {
  const addresses = await allowedAddresses(url, options, signal);
  // A client of its own for each host that strangers choose: nothing is kept. The signal goes to the socket as
  // well, because undici's request does not hear it until it has a connection; undici's own time limit for
  // connecting is off, so that there is one limit.
  const dial = { lookup: answering(addresses), timeout: 0, signal };
  const undici = await import('undici');
  return new undici.Client(url.origin, { connect: dial });
}

async function allowedAddresses(
  url: URL,
  options: SafeConnectOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const host = bareHost(url);
  // `connect.lookup` is never asked about literals, so they are checked here with the rest.
  const addresses = isIP(host)
    ? [host]
    : await beforeAbort((options.resolve ?? systemAddresses)(host), signal);
  if (addresses.length === 0) throw new Error('the name has no address');
  // One bad address spoils the name: an honest host has none.
  if (!addresses.every((address) => mayConnectTo(address, options.allowPrivate))) throw urlNotAllowed();
  return addresses;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

async function systemAddresses(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** The resolver cannot be cancelled, only no longer waited for. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Stands in for name resolution when the socket dials, with the answer that has been checked. */
function answering(addresses: string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    if (all) callback(null, known);
    else callback(null, known[0]!.address, known[0]!.family);
  };
}
