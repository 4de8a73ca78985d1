import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decoder } from '../media/decoder.ts';

const previewWidth = 480;

/** The small picture that a filter is shown by, of a picture at full size. */
export function writePreview(
  decoder: Decoder,
  file: string,
  asked: { accountId: string; signal: AbortSignal },
): Promise<Buffer> {
  return decoder.inTurn(asked, async ({ shrinkPicture }, folder) => {
    const target = join(folder, 'preview.webp');
    await shrinkPicture({ file, target, within: { width: previewWidth }, quality: 82 });
    return readFile(target);
  });
}
