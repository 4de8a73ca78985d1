import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

const demo = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
);

export function samplePhoto(number: 1 | 2 | 3 | 4 | 5 | 6): Buffer {
  return readFileSync(join(demo, `sample${number}.jpg`));
}

/** One photo in every kind of file that is accepted, small enough to be decoded a thousand times. */
export async function smallPhotos(): Promise<Record<string, Buffer>> {
  const small = await sharp(samplePhoto(1)).resize(160, 120, { fit: 'cover' }).png().toBuffer();
  const photo = () => sharp(small);
  return {
    'baseline JPEG': await photo().jpeg({ progressive: false }).toBuffer(),
    'progressive JPEG': await photo().jpeg({ progressive: true }).toBuffer(),
    'grey JPEG': await photo().greyscale().jpeg().toBuffer(),
    'CMYK JPEG': await photo().toColourspace('cmyk').jpeg().toBuffer(),
    'JPEG with Exif and a profile': await photo()
      .keepIccProfile()
      .withExif({ IFD0: { Copyright: 'Guise' } })
      .jpeg()
      .toBuffer(),
    PNG: await photo().png().toBuffer(),
    'interlaced PNG': await photo().png({ progressive: true }).toBuffer(),
    'palette PNG': await photo().png({ palette: true }).toBuffer(),
    '16-bit PNG with alpha': await photo().ensureAlpha().toColourspace('rgb16').png().toBuffer(),
    'lossy WebP': await photo().webp().toBuffer(),
    'lossless WebP': await photo().webp({ lossless: true }).toBuffer(),
    'WebP with alpha and Exif': await photo()
      .ensureAlpha(0.5)
      .withExif({ IFD0: { Copyright: 'Guise' } })
      .webp()
      .toBuffer(),
  };
}
