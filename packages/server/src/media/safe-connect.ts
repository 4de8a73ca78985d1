import { isIP, type LookupFunction } from 'node:net';
import type { Client } from 'undici';
import { AppError } from '../errors.ts';
import type { LookUpCaller, ResolveName } from './name-lookup.ts';
import { mayConnectTo } from './public-address.ts';
import { hostNotAllowed, urlNotAllowed } from './url-not-allowed.ts';

export interface SafeConnectOptions {
  /** For the whole request: name resolution, redirects and body. */
  timeoutMs: number;
  /** Allows the private and loopback ranges as well, for machines in the same network. */
  allowPrivate?: boolean;
  resolve: ResolveName;
}

/** Signed links of object stores have up to 2,000 characters. */
const maxUrlLength = 8192;

/** Parses a caller's URL and refuses what can be refused without resolving its host. */
export function parseAllowedUrl(input: string, base?: URL): URL {
  if (input.length > maxUrlLength || !URL.canParse(input, base?.href)) throw urlNotAllowed();
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlNotAllowed();
  if (url.username || url.password) throw urlNotAllowed();
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // Ports below 1024 belong to mail, file shares, shells and directories, not to images or webhooks.
  if (port !== 80 && port !== 443 && port < 1024) throw urlNotAllowed();
  return url;
}

/**
 * For URLs that are called later: refuses what `connectSafely` would refuse whatever the host resolves to then. Returns
 * the URL as it was parsed.
 */
export function checkUrl(input: string, allowPrivate = false): string {
  const url = parseAllowedUrl(input);
  const host = bareHost(url);
  if (isIP(host) && !mayConnectTo(host, allowPrivate)) throw urlNotAllowed();
  return url.href;
}

/**
 * A client for a caller's URL that does not let the caller reach what this server can reach. The host is resolved
 * once, all its addresses are checked, and the connection is made to those same addresses, so a name whose answer
 * changes in between gains nothing. The client must be destroyed after use.
 */
export async function connectSafely(
  url: URL,
  options: SafeConnectOptions,
  asked: LookUpCaller,
): Promise<Client> {
  const addresses = await allowedAddresses(url, options, asked);
  // Each URL gets a client of its own, so that no connection is kept. The signal goes to the socket as well, because
  // undici's request ignores it until it has a connection; undici's own time limit for connecting is off, so that
  // there is one limit.
  const connect = { lookup: lookupAmong(addresses), timeout: 0, signal: asked.signal };
  const undici = await import('undici');
  return new undici.Client(url.origin, { connect });
}

async function allowedAddresses(
  url: URL,
  options: SafeConnectOptions,
  asked: LookUpCaller,
): Promise<string[]> {
  const host = bareHost(url);
  // `connect.lookup` is not called for literal addresses, so they are checked here with the rest.
  const addresses = isIP(host) ? [host] : await addressesOf(host, options, asked);
  // One address that is not allowed is enough: a legitimate host has none.
  if (addresses.length === 0 || !addresses.every((address) => mayConnectTo(address, options.allowPrivate))) {
    throw isIP(host) ? urlNotAllowed() : hostNotAllowed(host);
  }
  return addresses;
}

/** None for a name that does not exist: it is answered like one of the operator's network, which may not be known. */
async function addressesOf(
  host: string,
  { resolve }: SafeConnectOptions,
  asked: LookUpCaller,
): Promise<string[]> {
  try {
    return await beforeAbort(resolve(host, asked), asked.signal);
  } catch (error) {
    // Whoever got no turn is told so.
    if (asked.signal.aborted || error instanceof AppError) throw error;
    return [];
  }
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Stops waiting when the signal aborts; the resolver itself cannot be cancelled. */
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

/** Replaces name resolution when the socket connects, with the addresses that were checked. */
function lookupAmong(addresses: string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    if (all) callback(null, known);
    else callback(null, known[0]!.address, known[0]!.family);
  };
}
