import { readFile, writeFile } from 'node:fs/promises';
import type { Size } from '@guise/contract/families/canvas.ts';
import { shapeProblem } from '@guise/contract/families/image-shape.ts';
import { provenance } from '@guise/engine/runtime/provenance.ts';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { cropPngRows } from '../../../media/crop-png-rows.ts';
import type { JobTasks } from '../../../media/decoder.ts';
import { replacePngMetadata } from '../../../media/png-metadata.ts';
import { engineBroke, engineUnfit, isEngineFault } from '../../engine.ts';

const pixelLimit = 60_000_000;
const formats = ['png', 'jpeg', 'webp'];

/** Of the height that must go, this part goes at the top: heads are in the upper half. */
const cutAbove = 0.12;

/**
 * The PNG has provenance and no other metadata. The file is decoded whole in any case, so what is broken is not passed
 * on; it is encoded again only when it has to change. Where its pixels were not encoded here, decoding it goes on after the
 * target is written.
 */
export const finishPicture: JobTasks['finishPicture'] = async ({ source, target, shape }, onWritten) => {
  const bytes = await readFile(source);
  const open = (picture: Buffer = bytes) =>
    sharp(picture, { limitInputPixels: pixelLimit, pages: 1, failOn: 'error' });
  try {
    const found = await open().metadata();
    if (!formats.includes(found.format)) throw engineBroke('The engine did not make a picture.');
    const problem = shapeProblem(found);
    if (problem) throw engineUnfit('The engine made a picture of an unusable shape.', new Error(problem));
    const { width, height } = shape.exact ? shape : within(found, Math.max(shape.width, shape.height));
    const surplus = found.height - height;
    const losesRows = surplus > 0 && surplus * cutAbove < 1 && !found.isProgressive;
    if (isPlain(found) && found.width === width && (surplus === 0 || losesRows)) {
      const kept = surplus === 0 ? bytes : await cropPngRows(bytes, { width, height });
      await writeFile(target, replacePngMetadata(kept, provenance));
      onWritten?.();
      assertNotBlack(await open(kept).resize({ width: 16, height: 16, fit: 'fill' }).raw().toBuffer());
      return [];
    }
    const pixels = await cover(open().autoOrient(), upright(found), { width, height })
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    assertNotBlack(pixels.data);
    await sharp(pixels.data, { raw: { width, height, channels: pixels.info.channels } })
      .toColourspace('srgb')
      .withXmp(provenance)
      .png({ compressionLevel: 4, adaptiveFiltering: true })
      .toFile(target);
    onWritten?.();
    const cropped = shapesDiffer(upright(found), { width, height });
    return cropped ? [{ kind: 'crop', value: `${width}×${height}` }] : [];
  } catch (cause) {
    if (isEngineFault(cause)) throw cause;
    throw engineBroke('The engine made a picture that cannot be read.', cause);
  }
};

/** Eight bits of red, green and blue, upright, and no colours that need a profile. */
function isPlain({ format, channels, depth, space, hasProfile, orientation }: Metadata): boolean {
  const plain = format === 'png' && channels === 3 && depth === 'uchar' && space === 'srgb';
  return plain && !hasProfile && (orientation ?? 1) === 1;
}

function upright({ width, height, orientation = 1 }: Metadata): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

function within(found: Metadata, longest: number): Size {
  const { width, height } = upright(found);
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function shapesDiffer(a: Size, b: Size): boolean {
  return Math.abs(Math.log(a.width / a.height / (b.width / b.height))) > 0.03;
}

/** Fills the wanted size, cutting what is too much at the sides alike, and less above than below. */
function cover(picture: Sharp, from: Size, to: Size): Sharp {
  const scale = Math.max(to.width / from.width, to.height / from.height);
  const width = Math.max(to.width, Math.round(from.width * scale));
  const height = Math.max(to.height, Math.round(from.height * scale));
  return picture.resize({ width, height, fit: 'fill', kernel: 'lanczos3' }).extract({
    left: Math.floor((width - to.width) / 2),
    top: Math.floor((height - to.height) * cutAbove),
    width: to.width,
    height: to.height,
  });
}

/** A run whose numbers overflowed gives a black picture and no error. */
function assertNotBlack(samples: Buffer): void {
  if (samples.every((sample) => sample <= 2)) throw engineBroke('The engine made a black picture.');
}
