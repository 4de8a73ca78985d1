import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { Decoder, DecodingCaller } from '../media/decoder.ts';
import type { ImageBytes } from '../media/upload.ts';

/** A photo that is kept: upright, without any metadata of the camera, and small enough to be shown in a grid. */
export interface EncodedPhoto extends Size {
  jpeg: Buffer;
  /** WebP. */
  thumbnail: Buffer;
}

/** Encodes a photo that was inspected. `INVALID_IMAGE` where decoding shows that it is damaged. */
export function encodePhoto(
  decoder: Decoder,
  bytes: ImageBytes,
  asked: DecodingCaller,
): Promise<EncodedPhoto> {
  return decoder.inTurn(asked, async (tasks, folder) => {
    const at = (name: string) => join(folder, name);
    const files = { photo: at('photo'), jpeg: at('jpeg'), thumbnail: at('webp') };
    await writeFile(files.photo, bytes);
    const size = await tasks.encodePhoto(files);
    return { jpeg: await readFile(files.jpeg), thumbnail: await readFile(files.thumbnail), ...size };
  });
}
