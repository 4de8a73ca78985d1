import { readFile, stat } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import type { JobTasks } from '../../../media/decoder.ts';
import { removeJpegMetadata } from '../../../media/jpeg-metadata.ts';
import { cannotMake } from '../../engine.ts';

const pixelLimit = 25_000_000;
/** More than any workflow here generates at; it keeps five photos inside RunPod's body of 10 MB. */
const longestSide = 2048;
const mostBytes = 1_200_000;

/**
 * A JPEG that is upright, plain and small but for its metadata keeps its pixels, which takes a quarter of the time that
 * encoding it again does. ComfyUI makes a mask of a PNG's transparency.
 */
export const photoToSend: JobTasks['photoToSend'] = async ({ file, readsMask = false }) => {
  const open = (input: string | Buffer) =>
    sharp(input, { limitInputPixels: pixelLimit, pages: 1, failOn: 'error' });
  try {
    const found = await open(file).metadata();
    const { size } = await stat(file);
    if (isFit(found) && size <= mostBytes) {
      const bytes = await removeJpegMetadata(await readFile(file));
      // Decoded at an eighth of its size, which reads every byte: a broken photo is not sent.
      await open(bytes).resize({ width: 8, height: 8, fit: 'fill' }).raw().toBuffer();
      return { bytes, width: found.width, height: found.height, extension: 'jpg' };
    }
    const upright = open(file)
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    const keepsAlpha = readsMask && found.hasAlpha;
    const encoded = keepsAlpha
      ? upright.png()
      : upright.flatten({ background: '#ffffff' }).jpeg({ quality: 94, chromaSubsampling: '4:4:4' });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height, extension: keepsAlpha ? 'png' : 'jpg' };
  } catch (cause) {
    throw cannotMake(
      'The photo cannot be read. Send a JPEG, PNG or WebP photo of at most 25 megapixels.',
      cause,
    );
  }
};

/** Eight bits of red, green and blue, upright, no colours that need a profile, and not too large. */
function isFit({ format, channels, depth, space, hasProfile, orientation, ...size }: Metadata): boolean {
  const plain = format === 'jpeg' && channels === 3 && depth === 'uchar' && space === 'srgb' && !hasProfile;
  return plain && (orientation ?? 1) === 1 && Math.max(size.width, size.height) <= longestSide;
}
