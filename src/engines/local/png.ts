import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { provenance } from '../../media/provenance.ts';
import type { Picture } from './picture.ts';

const compress = promisify(deflateRaw);

/** Parts that are compressed side by side; the same on every machine, so that its files are too. */
const parts = 4;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Deflate with a window of 32 KB, fastest. */
const zlibHeader = Buffer.from([0x78, 0x01]);
const depth = 8;
const trueColour = 2;
/** Each value less the one above it. */
const upFilter = 2;

/**
 * The picture as an 8-bit sRGB PNG that carries its provenance and nothing else. Written here because an encoder takes
 * one core: 0.16 to 0.37 s with adaptive filters at level 3, for files 0 to 11 % smaller, where this has 0.07 to 0.2 s of
 * CPU shared by all cores.
 */
export async function encodePng(picture: Picture): Promise<Buffer> {
  const { width, height } = picture;
  const lines = filteredLines(picture);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = trueColour;
  const size = Math.ceil(lines.length / parts);
  const pending = Array.from({ length: parts }, (_, part) =>
    compress(lines.subarray(part * size, (part + 1) * size), {
      level: 1,
      memLevel: 9,
      // All but the last part end on a whole byte and go on.
      finishFlush: part === parts - 1 ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    }),
  );
  const check = adler32(lines);
  const packed = await Promise.all(pending);
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header),
    ...chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.from(provenance)])),
    ...chunk('IDAT', zlibHeader, ...packed, check),
    ...chunk('IEND'),
  ]);
}

/** Lines of interleaved samples, each behind the number of its filter. */
function filteredLines({ width, height, planes }: Picture): Uint8Array {
  const length = width * 3;
  const lines = new Uint8Array((length + 1) * height);
  let line = new Uint8ClampedArray(length);
  let above = new Uint8ClampedArray(length);
  for (let y = 0, at = 0; y < height; y++) {
    writeSamples(planes, y * width, width, line);
    lines[at++] = upFilter;
    for (let k = 0; k < length; k++, at++) lines[at] = line[k]! - above[k]!;
    [line, above] = [above, line];
  }
  return lines;
}

function chunk(type: string, ...data: Buffer[]): Buffer[] {
  const name = Buffer.from(type, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const check = Buffer.alloc(4);
  check.writeUInt32BE(data.reduce((sum, part) => crc32(part, sum), crc32(name)));
  return [length, name, ...data, check];
}

function adler32(bytes: Uint8Array): Buffer {
  const prime = 65521;
  // As many sums as stay below 2³² in between.
  const block = 5552;
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; ) {
    for (const end = Math.min(bytes.length, i + block); i < end; i++) {
      a += bytes[i]!;
      b += a;
    }
    a %= prime;
    b %= prime;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE(b, 0);
  sum.writeUInt16BE(a, 2);
  return sum;
}

/** Interleaved 8-bit samples, clamped. */
export function bytesFromPicture({ width, height, planes }: Picture): Uint8Array {
  const bytes = new Uint8ClampedArray(width * height * 3);
  writeSamples(planes, 0, width * height, bytes);
  return new Uint8Array(bytes.buffer);
}

function writeSamples(
  [red, green, blue]: Picture['planes'],
  from: number,
  count: number,
  target: Uint8ClampedArray,
): void {
  for (let i = from, at = 0; i < from + count; i++, at += 3) {
    target[at] = red[i]! * 255;
    target[at + 1] = green[i]! * 255;
    target[at + 2] = blue[i]! * 255;
  }
}
