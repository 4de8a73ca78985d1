import sharp from 'sharp';
import { provenance } from '../runtime/provenance.ts';
import type { Picture } from './picture.ts';

/** The picture as an 8-bit sRGB PNG that carries its provenance and nothing else. */
export async function encodePng(picture: Picture): Promise<Buffer> {
  const { width, height } = picture;
  // With adaptive filters: 0.25 s for 1800×1200. Level 4 took 0.31 s for 2% less, 6 0.43 s for 4%, 2 0.23 s for 4% more.
  return sharp(bytesFromPicture(picture), { raw: { width, height, channels: 3 } })
    .withXmp(provenance)
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .toBuffer();
}

/** Interleaved 8-bit samples, clamped. */
export function bytesFromPicture({ width, height, planes }: Picture): Uint8Array {
  const [red, green, blue] = planes;
  const bytes = new Uint8ClampedArray(width * height * 3);
  for (let i = 0, at = 0; i < width * height; i++, at += 3) {
    bytes[at] = red[i]! * 255;
    bytes[at + 1] = green[i]! * 255;
    bytes[at + 2] = blue[i]! * 255;
  }
  return new Uint8Array(bytes.buffer);
}
