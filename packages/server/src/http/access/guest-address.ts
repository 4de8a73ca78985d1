import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { GuestAddress, GuestAddressChange } from '@guise/contract/operator/operator.ts';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../errors.ts';
import { isPrivateAddress } from '../../media/public-address.ts';
import { findSetting, putSetting } from '../../store/settings.ts';
import type { HttpParts } from '../parts.ts';
import { arrivedAt, baseUrlOf, callerOf } from '../request.ts';

const setting = 'guest_address';
const checkMs = 5000;

/** Where links for guests and clients lead: `GUISE_PUBLIC_URL`, what an operator has set, or the address of the request. */
export async function guestBaseUrlOf(parts: HttpParts, request: FastifyRequest): Promise<string> {
  return (await addressOf(parts, request)).url;
}

/**
 * The same for what a guest has sent to somebody else: an address of the internet that stands only in the `Host` of the
 * request may be of a server of the guest's.
 */
export async function sentBaseUrlOf(parts: HttpParts, request: FastifyRequest): Promise<string> {
  const { url, source } = await addressOf(parts, request);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const { localAddress } = request.raw.socket;
  const isDoubtful = source === 'request' && isIP(host) !== 0 && !isPrivateAddress(host);
  return isDoubtful && host !== localAddress ? arrivedAt(request) : url;
}

export async function readGuestAddress(parts: HttpParts, request: FastifyRequest): Promise<GuestAddress> {
  const { url, source } = await addressOf(parts, request);
  const maySet = source !== 'environment' && callerOf(request).scopes.includes('operator');
  return { url, source, is_local: isLocal(url), suggestions: maySet ? ownAddresses(request) : [] };
}

export async function setGuestAddress(
  parts: HttpParts,
  request: FastifyRequest,
  { url, check }: GuestAddressChange,
): Promise<GuestAddress> {
  if (url !== null) {
    const { pathname, search, hash } = new URL(url);
    if (pathname !== '/' || search || hash) throw invalidField('url', 'must end after the host and the port');
    if (isLocal(url)) throw invalidField('url', 'is an address that only this machine reaches');
    if (check) await assertReached(url);
  }
  await parts.db.run(putSetting, { name: setting, value: url ?? '' });
  return readGuestAddress(parts, request);
}

async function addressOf(
  parts: HttpParts,
  request: FastifyRequest,
): Promise<Pick<GuestAddress, 'url' | 'source'>> {
  if (parts.publicUrl) return { url: parts.publicUrl, source: 'environment' };
  const stored = await parts.db.one(findSetting, { name: setting });
  if (stored?.value) return { url: stored.value, source: 'stored' };
  return { url: baseUrlOf(parts, request), source: 'request' };
}

/** Asks for something that no other software answers so. What it says is not passed on. */
async function assertReached(url: string): Promise<void> {
  const current = await fetch(`${url}/v1/sessions/current`, {
    redirect: 'error',
    signal: AbortSignal.timeout(checkMs),
  })
    .then((answer) => answer.json() as Promise<{ command_line?: unknown } | null>)
    .catch(() => null);
  if (typeof current?.command_line === 'string') return;
  throw new AppError(
    'ADDRESS_NOT_REACHED',
    `No Guise answers at ${url}. Other devices reach the server only if it was started with HOST=0.0.0.0 and no firewall is in between.`,
  );
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

/** The addresses of this machine in its networks, with the port that the caller came by. */
function ownAddresses({ headers, raw }: FastifyRequest): string[] {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1] ?? raw.socket.localPort;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => `http://${address}:${port}`);
}
