import { shapeProblem } from '@guise/contract/families/image-shape.ts';
import sharp from 'sharp';
import { cannotMake, RenderError } from '../runtime/render-error.ts';
import type { Picture } from './picture.ts';
import type { Size } from './plane.ts';

/** What a photo may have at most; the contract refuses more than this before a job is made. */
const pixelLimit = 25_000_000;

/** The longest side that is worked on: a face that fills a tenth of it is still twice the size the canvas needs. */
export const workingSide = 2560;

/**
 * Reads a photo as a picture: upright, in sRGB, without alpha (over white), with nothing of its metadata.
 * CMYK, greyscale and 16-bit files come out the same way.
 */
export async function readPhoto(file: string, longestSide = workingSide): Promise<Picture> {
  try {
    const photo = sharp(file, { limitInputPixels: pixelLimit, pages: 1, failOn: 'error' });
    const problem = shapeProblem(await photo.metadata());
    if (problem) throw cannotMake(`The photo ${problem}.`);
    const { data, info } = await photo
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return pictureFromBytes(data, info);
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    throw cannotMake(
      'The photo cannot be read. Send a JPEG, PNG or WebP photo of at most 25 megapixels.',
      cause,
    );
  }
}

/** Interleaved 8-bit samples as planes; one or two channels are grey. */
function pictureFromBytes(
  data: Uint8Array,
  { width, height, channels }: Size & { channels: number },
): Picture {
  const count = width * height;
  const red = new Float32Array(count);
  const green = channels < 3 ? red : new Float32Array(count);
  const blue = channels < 3 ? red : new Float32Array(count);
  const scale = 1 / 255;
  for (let i = 0, at = 0; i < count; i++, at += channels) {
    red[i] = data[at]! * scale;
    if (channels < 3) continue;
    green[i] = data[at + 1]! * scale;
    blue[i] = data[at + 2]! * scale;
  }
  return { width, height, planes: channels < 3 ? [red, red.slice(), red.slice()] : [red, green, blue] };
}
