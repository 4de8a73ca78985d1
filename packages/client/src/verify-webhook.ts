import { base64ToBytes, joinBytes } from './bytes.ts';

/** What Guise sends when a job has ended. Its result is read at `status_path`, or by its family and id. */
export interface WebhookMessage {
  type: 'job.completed' | 'job.failed' | (string & {});
  timestamp: string;
  data: {
    id: string;
    family: string;
    status: 'COMPLETED' | 'FAILED';
    status_path: string;
    /** Why it failed, as a sentence. */
    error?: string;
  };
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  /** The body as it was received, before anything has parsed it. */
  body: string | Uint8Array;
  headers: HeaderValues;
  /** The account's webhook secret; several while a secret is being rolled. */
  secret: string | readonly string[];
  /** How old or how far ahead a message may be; 300 s by default. */
  toleranceSeconds?: number | undefined;
}

/** The request was not signed with the secret, or too long ago: answer 400 and do nothing. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified';
}

/** The message of a webhook, once its signature is found to be right. Throws `WebhookNotVerified` otherwise. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookMessage> {
  const { body, headers, secret, toleranceSeconds = 300 } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookNotVerified('The webhook headers are missing.');
  // NaN is not within the tolerance either.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookNotVerified('The webhook is too old, or comes from the future.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joinBytes([new TextEncoder().encode(`${id}.${timestamp}.`), bytes]);
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeOrNothing(signature.slice(3)));
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(one, given, signed)) return JSON.parse(new TextDecoder().decode(bytes));
  throw new WebhookNotVerified('The signature of the webhook is wrong.');
}

/** `verify` compares in constant time. */
async function isSigned(
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = base64ToBytes(secret.replace(/^whsec_/, ''));
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  return false;
}

function headerOf(headers: HeaderValues, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function decodeOrNothing(text: string): Uint8Array<ArrayBuffer> {
  try {
    return base64ToBytes(text);
  } catch {
    return new Uint8Array();
  }
}
