import { cutDeflated } from './cut-deflated.ts';
import { pngChunk } from './png-metadata.ts';

const headerEnd = 8 + 25;

/**
 * The first rows of a valid PNG of eight bits, red, green and blue, that is not interlaced. A row is filtered by the one
 * above it alone, so that those below are cut off without decoding any. Metadata is left out.
 */
export async function cropPngRows(
  png: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const row = 1 + 3 * width;
  // Not more than the picture has, whatever the data says.
  const inflatedLength = row * png.readUInt32BE(20);
  const data = await cutDeflated(dataOf(png), { length: row * height, inflatedLength });
  const header = Buffer.from(png.subarray(16, headerEnd - 4));
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, 8),
    ...pngChunk('IHDR', [header]),
    ...pngChunk('IDAT', data),
    ...pngChunk('IEND', []),
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
