import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { AppError } from '../errors.ts';
import { mayConnectTo } from './public-address.ts';
import { invalidImage, urlNotAllowed } from './refusal.ts';

export interface SafeFetchOptions {
  maxBytes: number;
  /** For the whole of it: names, redirects and body. */
  timeoutMs: number;
  /** For venues whose photos are served by a machine beside this one: lifts the private and loopback ranges alone. */
  allowPrivate?: boolean;
  /** A host name's addresses; the system's resolver unless given. */
  resolve?: (host: string) => Promise<string[]>;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Signed links of object stores come near 2,000 characters. */
const maxUrlLength = 8192;

const requestHeaders = {
  accept: 'image/jpeg, image/png, image/webp',
  // A compressed answer would have to be expanded, and an image gains nothing from it.
  'accept-encoding': 'identity',
  'user-agent': 'guise',
};

/**
 * Gets what a caller's URL leads to without letting the caller reach what this server can reach. On every hop the
 * host's addresses are looked up once, all of them are checked, and the connection is made to those same
 * addresses, so a name that changes its answer in between gains nothing.
 */
export function safeFetcher(
  options: SafeFetchOptions,
): (url: string, signal?: AbortSignal) => Promise<Buffer> {
  return async (input, caller) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = caller ? AbortSignal.any([caller, limit]) : limit;
    try {
      let url = parseAllowed(input);
      for (let hop = 0; hop <= maxRedirects; hop++) {
        const answer = await get(url, options, signal);
        if (Buffer.isBuffer(answer)) return answer;
        url = parseAllowed(answer.location, url);
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      if (limit.aborted) throw invalidImage('The image URL took too long to answer.', cause);
      throw invalidImage('The image URL could not be fetched.', cause);
    }
    throw invalidImage('The image URL redirects too often.');
  };
}

function parseAllowed(input: string, base?: URL): URL {
  if (input.length > maxUrlLength || !URL.canParse(input, base?.href)) throw urlNotAllowed();
  const url = new URL(input, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw urlNotAllowed();
  if (url.username || url.password) throw urlNotAllowed();
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // Below 1024 are mail, file shares, shells and directories; photos are on none of them.
  if (port !== 80 && port !== 443 && port < 1024) throw urlNotAllowed();
  return url;
}

/** The body, or where the answer points to instead. */
async function get(
  url: URL,
  options: SafeFetchOptions,
  signal: AbortSignal,
): Promise<Buffer | { location: string }> {
  const addresses = await allowedAddresses(url, options, signal);
  // A client of its own for each hop: nothing is kept of hosts that strangers choose. The signal goes to the
  // socket as well, because undici's request does not hear it until it has a connection; undici's own time limit
  // for connecting is off, so that there is one limit.
  const dial = { lookup: answering(addresses), timeout: 0, signal };
  const { Client } = await import('undici');
  const client = new Client(url.origin, { connect: dial });
  try {
    const response = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: requestHeaders,
      signal,
    });
    const { location } = response.headers;
    if (redirects.has(response.statusCode) && typeof location === 'string') return { location };
    return await readBody(response, options.maxBytes);
  } finally {
    // Without waiting: a server that keeps its end open must not keep the caller.
    client.destroy().catch(() => {});
  }
}

async function allowedAddresses(url: URL, options: SafeFetchOptions, signal: AbortSignal): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // `connect.lookup` is never asked about literals, so they are checked here with the rest.
  const addresses = isIP(host)
    ? [host]
    : await beforeAbort((options.resolve ?? systemAddresses)(host), signal);
  if (addresses.length === 0) throw invalidImage('The image URL could not be fetched.');
  // One bad address spoils the name: an honest photo host has none.
  if (!addresses.every((address) => mayConnectTo(address, options.allowPrivate))) throw urlNotAllowed();
  return addresses;
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

async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const { headers, statusCode, body } = response;
  if (statusCode !== 200) throw invalidImage(`The image URL answered with status ${statusCode}.`);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw invalidImage('The image URL answered with a compressed body, which is not accepted.');
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, received);
}

function tooLarge(maxBytes: number) {
  return invalidImage(`The image is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
}
