import { familyPaths } from '@guise/contract/families/family-paths.ts';
import type { Submitted } from '@guise/contract/jobs.ts';
import type { Transport } from '../transport.ts';

export interface SubmitOptions {
  signal?: AbortSignal | undefined;
  /** The share of the body that has been sent. Browsers only. */
  onUpload?: ((share: number) => void) | undefined;
  /** A call that is repeated with the same key within 24 hours gives the same job. Made anew for each call by default. */
  idempotencyKey?: string | undefined;
  /** The longest side of photos that is sent, in pixels: `true` is 2048. Off by default. */
  downscale?: boolean | number | undefined;
}

/** Every family that the server has, older paths included. */
export type AnyFamily = keyof typeof familyPaths;

/** Sends a run whose body is as the interface names it. */
export function submitBody(
  transport: Transport,
  family: AnyFamily,
  body: object,
  { signal, onUpload, idempotencyKey }: SubmitOptions = {},
): Promise<Submitted> {
  return transport.request('POST', familyPaths[family].run, {
    body,
    signal,
    onUpload,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}
