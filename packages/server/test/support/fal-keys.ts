import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The keys that fal publishes, and webhooks that are signed with one of them. */
export interface FalKeys {
  url: string;
  /** Those that it publishes. */
  keys: KeyObject[];
  /** How often they were read. */
  reads: number;
  /** Whether it answers. */
  isSilent: boolean;
  stop(): Promise<void>;
}

export const newKeyPair = () => generateKeyPairSync('ed25519');

export async function falKeys(): Promise<FalKeys> {
  const http = createServer((_request, response) => {
    server.reads++;
    if (server.isSilent) return void response.destroy();
    const keys = server.keys.map((key) => ({ ...key.export({ format: 'jwk' }), kid: 'x', use: 'sig' }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  const server: FalKeys = {
    url: '',
    keys: [],
    reads: 0,
    isSilent: false,
    stop: () => new Promise((resolve) => http.close(() => resolve())),
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/.well-known/jwks.json`;
  return server;
}

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** What fal sends when a request has ended. */
export function signedWebhook(requestId: string, key: KeyObject, sentAt = Date.now()): SignedWebhook {
  const body = JSON.stringify({ request_id: requestId, status: 'OK', payload: { images: [] }, error: null });
  const timestamp = String(Math.floor(sentAt / 1000));
  const hash = createHash('sha256').update(body).digest('hex');
  const message = Buffer.from([requestId, 'user-1', timestamp, hash].join('\n'));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-fal-webhook-request-id': requestId,
      'x-fal-webhook-user-id': 'user-1',
      'x-fal-webhook-timestamp': timestamp,
      'x-fal-webhook-signature': sign(null, message, key).toString('hex'),
    },
  };
}
