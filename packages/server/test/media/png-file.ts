import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export interface PngHeader {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlace?: number;
}

/** A PNG of these chunks between its header and its end. */
export function pngOf(header: PngHeader, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([signature, headerChunk(header), ...chunks, chunk('IEND')]);
}

/** Eight by eight black pixels, with other chunks before its data. */
export function smallPng(...chunks: Buffer[]): Buffer {
  return pngOf({ width: 8, height: 8 }, ...chunks, chunk('IDAT', deflateSync(Buffer.alloc(8 * 9))));
}

export function headerChunk({ width, height, depth = 8, colour = 0, interlace = 0 }: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = depth;
  data[9] = colour;
  data[12] = interlace;
  return chunk('IHDR', data);
}

export function chunk(type: string, data: Buffer = Buffer.alloc(0), declaredLength = data.length): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const file = Buffer.alloc(typed.length + 8);
  file.writeUInt32BE(declaredLength, 0);
  typed.copy(file, 4);
  file.writeUInt32BE(crc32(typed), file.length - 4);
  return file;
}

/** That many megabytes of zeros as a zlib stream, a thousandth of the size, made by repeating one flushed block. */
export function zippedZeros(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE((megabytes * 1024 * 1024) % 65521, 0);
  checksum.writeUInt16BE(1, 2);
  const lastBlock = Buffer.from([3, 0]);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(megabytes).fill(block), lastBlock, checksum]);
}
