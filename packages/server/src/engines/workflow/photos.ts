import type { Size } from '@guise/contract/families/canvas.ts';
import { cannotMake } from '../engine.ts';

export interface PhotoToSend extends Size {
  bytes: Buffer;
}

const pixelLimit = 25_000_000;
/** More than any workflow here generates at; it keeps five photos inside RunPod's body of 10 MB. */
const longestSide = 2048;

/** A photo as it leaves this server: upright, without its metadata, no larger than a workflow can use. */
export async function photoToSend(file: string): Promise<PhotoToSend> {
  const { default: sharp } = await import('sharp');
  try {
    const { data, info } = await sharp(file, { limitInputPixels: pixelLimit, pages: 1, failOn: 'error' })
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (cause) {
    throw cannotMake(
      'The photo cannot be read. Send a JPEG, PNG or WebP photo of at most 25 megapixels.',
      cause,
    );
  }
}
