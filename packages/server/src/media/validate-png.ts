import { crc32 } from 'node:zlib';
import type { Size } from '@guise/contract/families/canvas.ts';
import { damagedImage, invalidImage, tooManyParts, truncatedImage } from './image-errors.ts';
import type { ValidatedImage } from './validated-image.ts';

const IHDR = 0x49484452;
const PLTE = 0x504c5445;
const IDAT = 0x49444154;
const IEND = 0x49454e44;
const zTXt = 0x7a545874;
const iTXt = 0x69545874;
const iCCP = 0x69434350;

const chunkOverhead = 12;
const maxChunk = 0x7fffffff;
/** Of 4 KB each, which is less than encoders write, 20 MB have a quarter of them. */
const maxChunks = 20_000;

/** Compressed data may expand a thousandfold in the decoder. Editors write a few kilobytes of it. */
const maxCompressedText = 64 * 1024;
const maxCompressedProfile = 2 * 1024 * 1024;

/** The bit depths that each colour type allows. */
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Checks the chunks from the first to the last. An animated PNG counts as its still picture. */
export function validatePng(bytes: Buffer): ValidatedImage {
  const { size, palette } = readHeader(bytes);
  let hasPalette = false;
  let hasData = false;
  let compressedText = 0;
  let at = 8;
  for (let chunks = 1; ; chunks++) {
    if (chunks > maxChunks) throw tooManyParts();
    if (at + chunkOverhead > bytes.length) throw truncatedImage();
    const length = bytes.readUInt32BE(at);
    const type = bytes.readUInt32BE(at + 4);
    if (length > maxChunk) throw damagedImage();
    // Before the length is compared with the file's, so that a declared gigabyte of text is reported as too much text.
    if (type === zTXt || type === iTXt) compressedText += compressedLength(bytes, at, type, length);
    if (compressedText > maxCompressedText || (type === iCCP && length > maxCompressedProfile))
      throw tooMuchMetadata();
    if (length > bytes.length - at - chunkOverhead) throw truncatedImage();
    if (type === IHDR && at !== 8) throw damagedImage();
    if (type === PLTE) hasPalette = true;
    if (type === IDAT) {
      if (palette && !hasPalette) throw damagedImage();
      if (length > 0) hasData = true;
    }
    at += length + chunkOverhead;
    if (type === IEND) {
      if (!hasData || length !== 0) throw damagedImage();
      return { size, end: at };
    }
  }
}

function readHeader(bytes: Buffer): { size: Size; palette: boolean } {
  if (bytes.length < 8 + 13 + chunkOverhead) throw truncatedImage();
  if (bytes.readUInt32BE(8) !== 13 || bytes.readUInt32BE(12) !== IHDR) throw damagedImage();
  if (crc32(bytes.subarray(12, 29)) !== bytes.readUInt32BE(29)) throw damagedImage();
  const colour = bytes[25]!;
  const [compression, filter, interlace] = [bytes[26]!, bytes[27]!, bytes[28]!];
  if (!depths[colour]?.includes(bytes[24]!) || compression !== 0 || filter !== 0 || interlace > 1)
    throw damagedImage();
  return { size: { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }, palette: colour === 3 };
}

/** The byte after an iTXt chunk's keyword tells whether it is compressed. XMP is not, and may be large. */
function compressedLength(bytes: Buffer, at: number, type: number, length: number): number {
  if (type === zTXt) return length;
  const keywordEnd = bytes.subarray(at + 8, at + 8 + Math.min(length, 80)).indexOf(0);
  const plain = keywordEnd >= 0 && bytes[at + 8 + keywordEnd + 1] === 0;
  return plain ? 0 : length;
}

function tooMuchMetadata() {
  return invalidImage(
    'The image contains too much text or colour profile data. Save it again without metadata.',
  );
}
