import { createHash } from 'node:crypto';
import type { ImageBytes } from './upload.ts';

/** SHA-256 of an image's file. */
export async function digestImage(bytes: ImageBytes): Promise<string> {
  const hash = createHash('sha256');
  if (Buffer.isBuffer(bytes)) hash.update(bytes);
  else for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
