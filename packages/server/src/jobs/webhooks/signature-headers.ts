import { createHmac } from 'node:crypto';

export const secretPrefix = 'whsec_';

/** The scheme of standardwebhooks.com, so that its libraries can verify it: one signature for each secret. */
export function signatureHeaders(secrets: readonly string[], id: string, body: string, now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
