import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limitByOwner } from '../../media/limit-concurrency.ts';

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

/** A picture of 1200×1800 takes 80 ms of a thread of the pool. Nobody waits for all pictures of one account. */
const [atOnce, atOnceOfAccount] = [2, 1];

export function createPictureEncoder(): PictureEncoder {
  const limit = limitByOwner(atOnce, atOnceOfAccount);
  return {
    encode: (picture, { format, quality, accountId }) =>
      limit(accountId, async () => {
        const { default: sharp } = await import('sharp');
        return sharp(await buffer(picture))
          .toFormat(format, { quality })
          .toBuffer();
      }),
  };
}
