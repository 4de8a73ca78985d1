import sharp from 'sharp';
import { type ConvertedPicture, type FileTasks, thumbnailSize } from '../../../media/decoder.ts';
import { damagedImage } from '../../../media/image-errors.ts';
import { imageLimits } from '../../../media/inspect-image.ts';

/** Results are no larger than this, photos no larger than `imageLimits`. */
const resultPixels = 60_000_000;

export const encodePhoto: FileTasks['encodePhoto'] = async ({ photo, jpeg, thumbnail }) => {
  try {
    // Without its metadata a photo is upright only when it is turned before; what is transparent becomes white.
    const { width, height } = await sharp(photo, { limitInputPixels: imageLimits.pixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toFile(jpeg);
    await shrinkPicture({ file: jpeg, target: thumbnail, ...thumbnailSize });
    return { width, height };
  } catch (cause) {
    throw damagedImage(cause);
  }
};

export const shrinkPicture: FileTasks['shrinkPicture'] = async ({ file, target, within, quality }) => {
  await sharp(file, { limitInputPixels: resultPixels, pages: 1 })
    .resize({ ...within, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toFile(target);
};

export async function convertPicture({ file, target, format, quality }: ConvertedPicture): Promise<void> {
  await sharp(file, { limitInputPixels: resultPixels, pages: 1 })
    .toFormat(format, { quality })
    .toFile(target);
}
