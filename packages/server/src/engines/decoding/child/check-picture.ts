import sharp from 'sharp';
import { damagedImage } from '../../../media/image-errors.ts';
import { decodedLimits } from '../../../media/inspect-image.ts';

export async function checkPicture({ bytes }: { bytes: Uint8Array }): Promise<void> {
  try {
    await sharp(bytes, { limitInputPixels: decodedLimits.pixels, pages: 1, failOn: 'error' })
      .resize({ width: 8, height: 8, fit: 'fill' })
      .raw()
      .toBuffer();
  } catch (cause) {
    throw damagedImage(cause);
  }
}
