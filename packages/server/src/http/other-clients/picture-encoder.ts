import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Decoder } from '../../media/decoder.ts';

/** Formats that pictures are answered in; they are stored as PNG. */
export const pictureFormats = ['png', 'jpeg', 'webp'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Encodes pictures for clients that take no PNG. What is encoded anew has no manifest of its provenance. */
export interface PictureEncoder {
  encode(picture: Readable, wanted: EncodedPicture): Promise<Buffer>;
}

export interface EncodedPicture {
  format: Exclude<PictureFormat, 'png'>;
  /** 1 to 100. */
  quality: number;
  accountId: string;
}

/** For photos of people, where no quality is asked for. */
export const defaultQuality = 92;

export function createPictureEncoder(decoder: Decoder): PictureEncoder {
  return {
    encode: (picture, { format, quality, accountId }) =>
      decoder.inTurn({ accountId }, async ({ convertPicture }, folder) => {
        const [file, target] = [join(folder, 'picture'), join(folder, format)];
        await writeFile(file, picture);
        await convertPicture({ file, target, format, quality });
        return readFile(target);
      }),
  };
}
