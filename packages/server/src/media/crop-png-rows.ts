import { deflateSync, inflateSync } from 'node:zlib';
import { pngChunk } from './png-metadata.ts';

const headerEnd = 8 + 25;
/** Rows stay filtered as they were, which is most of what makes a PNG small: a fast deflate gives about the same size. */
const level = 1;

/**
 * The first rows of a valid PNG of eight bits, red, green and blue, that is not interlaced. A row is filtered by the one
 * above it alone, so that those below are cut off without decoding any: a third of the time of encoding 1200×1800 again.
 * Metadata is left out.
 */
export function cropPngRows(png: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const size = (1 + 3 * width) * height;
  // Not more than the picture has, whatever the data says.
  const rows = inflateSync(dataOf(png), { maxOutputLength: (1 + 3 * width) * png.readUInt32BE(20) });
  if (rows.length < size) throw new Error('the PNG has fewer rows than it says');
  const header = Buffer.from(png.subarray(16, headerEnd - 4));
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, 8),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows.subarray(0, size), { level })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = headerEnd; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    if (type === 'IEND') break;
    at += length + 12;
  }
  return Buffer.concat(parts);
}
