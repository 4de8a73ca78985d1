import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { mayConnectTo } from '../../media/public-address.ts';
import { upstream } from '../upstream.ts';

const webhookPath = '/v1/engine_webhooks/fal';

/** Names that no resolver outside gives an address for. */
const privateNames = /^[^.]*$|\.(localhost|local|internal|lan|home\.arpa)$/;

/**
 * The address that fal is asked to call when a request has ended; null where it could not, and without TLS, because the
 * call has the result in it.
 */
export function falWebhookUrl(publicUrl: string): string | null {
  if (!publicUrl) return null;
  const { protocol, hostname } = new URL(publicUrl);
  const address = hostname.replace(/^\[|\]$/g, '');
  const isPublic = isIP(address) ? mayConnectTo(address) : !privateNames.test(hostname);
  return protocol === 'https:' && isPublic ? `${publicUrl.replace(/\/$/, '')}${webhookPath}` : null;
}

/** What is published when a request has ended: of the length of an id, whatever the service calls its requests. */
export function falTopicOf(requestId: string): string {
  return createHash('sha256').update(`fal ${requestId}`).digest('hex').slice(0, 36);
}

/** What the headers of a webhook say. Nothing of it is known to be true before it is verified. */
interface FalSignature {
  requestId: string;
  userId: string;
  /** As it was sent. */
  timestamp: string;
  signature: Buffer;
}

/** How far from now a webhook may say that it was sent. */
const leewayMs = 5 * 60_000;
const Header = z.string().min(1).max(200);
const SignatureHeaders = z.object({
  'x-fal-webhook-request-id': Header,
  'x-fal-webhook-user-id': Header,
  'x-fal-webhook-timestamp': z.string().regex(/^\d{1,12}$/),
  'x-fal-webhook-signature': z.string().regex(/^[\da-f]{128}$/i),
});

/** Throws where a webhook cannot be one of now, whatever its body is. */
function readSignature(headers: IncomingHttpHeaders, now: number): FalSignature {
  const { data } = SignatureHeaders.safeParse(headers);
  if (!data) throw notSigned();
  const timestamp = data['x-fal-webhook-timestamp'];
  if (Math.abs(now - 1000 * Number(timestamp)) > leewayMs) throw notSigned();
  return {
    requestId: data['x-fal-webhook-request-id'],
    userId: data['x-fal-webhook-user-id'],
    timestamp,
    signature: Buffer.from(data['x-fal-webhook-signature'], 'hex'),
  };
}

/** The same answer whatever is wrong. */
const notSigned = () => new AppError('UNAUTHORIZED', 'The webhook is not signed as it must be.');

const keysAway = () =>
  new AppError('OVERLOADED', 'The keys of the service cannot be read now. Retry after 60 s.', {
    headers: { 'retry-after': '60' },
  });

export interface FalWebhooks {
  /** Throws where these headers cannot be of a webhook that was signed in the last minutes, whatever its body is. */
  check(headers: IncomingHttpHeaders): void;
  /** Tells whoever waits for the request where fal has signed the headers and this body, and rejects where it has not. */
  receive(headers: IncomingHttpHeaders, bodySha256: string): Promise<void>;
  close(): Promise<void>;
}

export interface FalWebhookOptions {
  keysUrl: string;
  /** Where fal cannot call, nobody is believed to be it, and no keys are read. */
  publicUrl: string;
  publish(topic: string): void;
  now?: () => number;
}

/** Verifies webhooks with the keys that fal publishes, which are read when the first one comes. */
export function createFalWebhooks({
  keysUrl,
  publicUrl,
  publish,
  now = Date.now,
}: FalWebhookOptions): FalWebhooks {
  const isCalled = falWebhookUrl(publicUrl) !== null;
  const keys = publishedKeys(keysUrl, now);
  return {
    check(headers) {
      if (!isCalled) throw notSigned();
      readSignature(headers, now());
    },
    async receive(headers, bodySha256) {
      const { requestId, userId, timestamp, signature } = readSignature(headers, now());
      const message = Buffer.from([requestId, userId, timestamp, bodySha256].join('\n'));
      const isSigned = await keys.some((key) => verify(null, message, key, signature));
      if (!isSigned) throw notSigned();
      publish(falTopicOf(requestId));
    },
    close: keys.close,
  };
}

/** Keys change once in a while, and the service wants them read anew every day. */
const mostAgeMs = 12 * 3600_000;
/** Forged webhooks make them be read again no more often than this. */
const leastAgeMs = 60_000;
const readMs = 5000;
const mostBytes = 64 * 1024;

const Keys = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string(), crv: z.string().optional(), x: z.string().optional() }))
    .max(50),
});

interface PublishedKeys {
  /** Whether this holds for one of the keys. They are read again where it holds for none. Throws where there are none. */
  some(isRight: (key: KeyObject) => boolean): Promise<boolean>;
  close(): Promise<void>;
}

function publishedKeys(url: string, now: () => number): PublishedKeys {
  const { origin, pathname } = new URL(url);
  const server = upstream(origin);
  let keys: readonly KeyObject[] = [];
  let readAt = -Infinity;
  let askedAt = -Infinity;
  let reading: Promise<void> | null = null;
  const read = async () => {
    askedAt = now();
    const signal = AbortSignal.timeout(readMs);
    const found = await server.json(Keys, { path: pathname, signal, timeoutMs: readMs, maxBytes: mostBytes });
    keys = found.keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519').flatMap(keyOf);
    readAt = askedAt;
  };
  /** Leaves them as they are where their server does not answer. */
  const readAgain = async () => {
    if (!reading && now() - askedAt >= leastAgeMs)
      reading = read()
        .catch(() => {})
        .finally(() => {
          reading = null;
        });
    await reading;
  };
  const areFresh = () => now() - readAt < mostAgeMs;
  return {
    async some(isRight) {
      if (areFresh() && keys.some(isRight)) return true;
      await readAgain();
      if (!areFresh()) throw keysAway();
      return keys.some(isRight);
    },
    close: () => server.close(),
  };
}

function keyOf(key: object): KeyObject[] {
  try {
    return [createPublicKey({ key: key as never, format: 'jwk' })];
  } catch {
    return [];
  }
}
