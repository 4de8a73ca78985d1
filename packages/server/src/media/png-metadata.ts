import { crc32 } from 'node:zlib';
import { validatePng } from './validate-png.ts';

/** The chunks that hold the picture. Text, times, profiles and thumbnails are metadata. */
const pictureChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const headerEnd = 8 + 25;

/** The PNG with this XMP in place of all its metadata. Nothing is decoded: the bytes of the pixels stay the same. */
export function replacePngMetadata(png: Buffer, xmp: string): Buffer {
  const { end } = validatePng(png);
  const parts = [
    png.subarray(0, headerEnd),
    ...pngChunk('iTXt', [Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)]),
  ];
  for (let at = headerEnd; at < end; ) {
    const size = png.readUInt32BE(at) + 12;
    if (pictureChunks.has(png.toString('latin1', at + 4, at + 8))) parts.push(png.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

/** A chunk whose data is in parts, which are not copied. */
export function pngChunk(type: string, data: readonly Buffer[]): Buffer[] {
  const body = [Buffer.from(type, 'latin1'), ...data];
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.reduce((sum, part) => sum + part.length, 0));
  checksum.writeUInt32BE(body.reduce((sum, part) => crc32(part, sum), 0));
  return [length, ...body, checksum];
}
