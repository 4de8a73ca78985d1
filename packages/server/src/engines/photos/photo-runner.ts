import { damagedImage } from '../../media/image-errors.ts';
import { imageLimits } from '../../media/inspect-image.ts';
import type { EncodedFiles, Runner } from '../pool/runner.ts';

export const thumbnailSide = 384;

/** Encodes photos inside a child process of their pool. */
export function createRunner(): Runner {
  return { encodePhoto };
}

async function encodePhoto({ photo, jpeg, thumbnail }: EncodedFiles) {
  const { default: sharp } = await import('sharp');
  try {
    // Without its metadata a photo is upright only when it is turned before; what is transparent becomes white.
    const { width, height } = await sharp(photo, { limitInputPixels: imageLimits.pixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toFile(jpeg);
    await sharp(jpeg)
      .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(thumbnail);
    return { width, height };
  } catch (cause) {
    throw damagedImage(cause);
  }
}
