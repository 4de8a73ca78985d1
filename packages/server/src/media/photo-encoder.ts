import { buffer } from 'node:stream/consumers';
import type { Size } from '@guise/contract/families/canvas.ts';
import { damagedImage } from './image-errors.ts';
import { imageLimits } from './inspect-image.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import type { ImageBytes } from './upload.ts';

/** A photo that is kept: upright, without any metadata of the camera, and small enough to be shown in a grid. */
export interface EncodedPhoto extends Size {
  jpeg: Buffer;
  /** WebP. */
  thumbnail: Buffer;
}

export type EncodePhoto = (bytes: ImageBytes) => Promise<EncodedPhoto>;

/** On libvips's threads. A JPEG of 25 megapixels takes 1.2 s of CPU, so that few go at once. */
const atOnce = 2;
export const thumbnailSide = 384;

/** Encodes photos that were inspected. `INVALID_IMAGE` where decoding shows that one is damaged. */
export function createPhotoEncoder(): EncodePhoto {
  const limit = limitConcurrency(atOnce);
  return (bytes) => limit(() => encode(bytes));
}

async function encode(bytes: ImageBytes): Promise<EncodedPhoto> {
  // Loaded when it is first needed, to save an idle server its memory.
  const { default: sharp } = await import('sharp');
  const whole = Buffer.isBuffer(bytes) ? bytes : await buffer(bytes);
  try {
    // Without its metadata a photo is upright only when it is turned before; what is transparent becomes white.
    const { data: jpeg, info } = await sharp(whole, { limitInputPixels: imageLimits.pixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    const thumbnail = await sharp(jpeg)
      .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return { jpeg, thumbnail, width: info.width, height: info.height };
  } catch (cause) {
    throw damagedImage(cause);
  }
}
