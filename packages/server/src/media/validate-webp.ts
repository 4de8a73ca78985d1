import type { Size } from '@guise/contract/families/canvas.ts';
import { damagedImage, invalidImage, tooManyParts, truncatedImage } from './image-errors.ts';
import type { ValidatedImage } from './validated-image.ts';

const lossy = 'VP8 ';
const lossless = 'VP8L';
const extended = 'VP8X';

const animationFlag = 0x02;
/** Two or three kinds of chunks stand before the picture. */
const maxChunksBeforePicture = 100;

/** Checks the chunks inside the RIFF frame. */
export function validateWebp(bytes: Buffer): ValidatedImage {
  if (bytes.length < 12 + 8) throw truncatedImage();
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw truncatedImage();
  let canvas: Size | undefined;
  let picture: Size | undefined;
  for (let at = 12, chunks = 1; at + 8 <= end; chunks++) {
    if (chunks > maxChunksBeforePicture) throw tooManyParts();
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = at + 8;
    if (length > end - data) throw truncatedImage();
    if (type === extended) {
      if (at !== 12 || length < 10) throw damagedImage();
      if (bytes[data]! & animationFlag) throw animatedWebp();
      canvas = { width: bytes.readUIntLE(data + 4, 3) + 1, height: bytes.readUIntLE(data + 7, 3) + 1 };
    } else if (type === 'ANIM' || type === 'ANMF') {
      throw animatedWebp();
    } else if (type === lossy || type === lossless) {
      picture = type === lossy ? lossySize(bytes, data, length) : losslessSize(bytes, data, length);
      break;
    } else if (!canvas) {
      throw damagedImage(); // only the extended kind has chunks before its picture
    }
    at = data + length + (length % 2);
  }
  if (!picture) throw damagedImage();
  if (canvas && (canvas.width !== picture.width || canvas.height !== picture.height)) throw damagedImage();
  return { size: picture, end };
}

function lossySize(bytes: Buffer, at: number, length: number): Size {
  if (length < 10) throw truncatedImage();
  const tag = bytes.readUIntLE(at, 3);
  const interFrame = tag & 1;
  const firstPartition = tag >> 5;
  if (interFrame || bytes.readUIntBE(at + 3, 3) !== 0x9d012a) throw damagedImage();
  if (firstPartition > length - 10) throw truncatedImage();
  return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
}

function losslessSize(bytes: Buffer, at: number, length: number): Size {
  if (length < 5) throw truncatedImage();
  const bits = bytes.readUInt32LE(at + 1);
  const version = bits >>> 29;
  if (bytes[at] !== 0x2f || version !== 0) throw damagedImage();
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function animatedWebp() {
  return invalidImage('Animated WebP images are not supported. Send a still image.');
}
