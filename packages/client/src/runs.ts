import type { FamilyName } from '@guise/contract/families/families.ts';
import { familyPaths } from '@guise/contract/families/family-paths.ts';
import type { Transport } from './transport.ts';

export interface RunCallOptions {
  signal?: AbortSignal;
  /** The share of the body that has been sent. */
  onUpload?: (share: number) => void;
}

/** Submits a job of any family. `body` is what the interface names for it; images are base64. */
export function submitRun(
  transport: Transport,
  family: FamilyName,
  body: Record<string, unknown>,
  options: RunCallOptions = {},
): Promise<{ id: string; status: string }> {
  return transport.request('POST', familyPaths[family].run, { body, ...options });
}

/** A file as base64, as the interface takes images. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // An argument list has a limit, and a photo is larger.
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
