import type { Size } from '@guise/contract/families/canvas.ts';
import { shapeProblem } from '@guise/contract/families/image-shape.ts';
import { assertNoAppendedFile } from './appended-file.ts';
import { damagedImage, invalidImage } from './image-errors.ts';
import { validateJpeg } from './validate-jpeg.ts';
import { validatePng } from './validate-png.ts';
import { validateWebp } from './validate-webp.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

export interface ImageInfo extends Size {
  type: ImageType;
}

export const imageLimits = { bytes: 20 * 1024 * 1024, pixels: 25_000_000 } as const;

/**
 * Images up to this size are also decoded: 13 ms of CPU for a camera's JPEG of 200 KB, 110 ms and 40 MB for the worst
 * PNG. Larger ones are left to the job: decoding a JPEG of 1.1 MB and 4 megapixels takes 18 ms, a progressive one 78 ms,
 * validating its structure 0.5 ms.
 */
export const decodedLimits = { bytes: 300 * 1024, pixels: 4_200_000 };

/** Decodes a picture elsewhere, and throws where it is damaged. */
export type CheckPicture = (bytes: Buffer) => Promise<void>;

/**
 * Refuses what is not a PNG, JPEG or WebP, is incomplete, or would cost too much to decode. The file's structure is
 * validated without decoding it; small files, whose cost is bounded, are decoded as well, by `checkPicture`.
 */
export async function inspectImage(bytes: Buffer, checkPicture: CheckPicture): Promise<ImageInfo> {
  if (bytes.length === 0) throw invalidImage('The image is empty.');
  if (bytes.length > imageLimits.bytes) throw invalidImage('The image is larger than 20 MB.');
  const { type, validate } = formatOf(bytes);
  const { size, end } = await validate(bytes);
  if (size.width < 1 || size.height < 1) throw damagedImage();
  const problem = shapeProblem(size);
  if (problem) throw invalidImage(`The image ${problem}.`);
  const pixels = size.width * size.height;
  if (pixels > imageLimits.pixels) throw invalidImage('The image has more than 25 megapixels.');
  await assertNoAppendedFile(bytes, end);
  if (bytes.length <= decodedLimits.bytes && pixels <= decodedLimits.pixels) await checkPicture(bytes);
  return { type, ...size };
}

/** The type of a file that was inspected before. */
export const imageTypeOf = (bytes: Buffer): ImageType => formatOf(bytes).type;

const formats = [
  { type: 'image/jpeg', validate: validateJpeg, signatures: [[0, '\xff\xd8\xff']] },
  { type: 'image/png', validate: validatePng, signatures: [[0, '\x89PNG\r\n\x1a\n']] },
  {
    type: 'image/webp',
    validate: validateWebp,
    signatures: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
] as const;

function formatOf(bytes: Buffer) {
  const format = formats.find(({ signatures }) =>
    signatures.every(([at, signature]) => bytes.toString('latin1', at, at + signature.length) === signature),
  );
  if (!format) throw invalidImage('The image must be a PNG, JPEG or WebP file.');
  return format;
}
