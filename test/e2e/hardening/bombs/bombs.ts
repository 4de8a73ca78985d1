import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chunk, pngOf, smallPng, zippedZeros } from '../../../../packages/server/test/media/png-file.ts';

/** A file that costs whoever decodes it far more than it costs to send, or that is not what it says. */
export interface Bomb {
  name: string;
  bytes: Buffer;
  /** Whether every place refuses it. Others may be made, within the limits. */
  refused: boolean;
}

/** All bombs, of at most 1.5 MB. With `large`, those that can be made are as costly as the limits allow. */
export async function makeBombs({ large = false } = {}): Promise<Bomb[]> {
  const photo = await photoOf(160, 120).jpeg().toBuffer();
  const png = await photoOf(160, 120).png().toBuffer();
  const refused: Record<string, Buffer> = {
    'a PNG of 25,000,000×1 pixels': pngOf(
      { width: 25_000_000, height: 1, depth: 1 },
      chunk('IDAT', deflateSync(Buffer.alloc(3_125_001))),
    ),
    'a PNG of 30,000×30,000 pixels': pngOf(
      { width: 30_000, height: 30_000, depth: 1 },
      chunk('IDAT', zippedZeros(100)),
    ),
    'a PNG with 100 MB of compressed text': smallPng(zipped('zTXt', 'Comment', 100)),
    'a PNG of 30,000 chunks': smallPng(...Array<Buffer>(30_000).fill(chunk('tEXt'))),
    'a JPEG with 5,000 scans': await withScans(64, 5000),
    'a GIF of 5,000 frames': gifOf(5000),
    'a WebP of 5,000 frames': animatedWebp(5000),
    'a TIFF of 3 pages': tiffOf(3),
    'an SVG with a file and a URL in it': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"><image xlink:href="file:///etc/passwd"/><image xlink:href="http://169.254.169.254/"/></svg>',
    ),
    'an SVG whose entities expand': Buffer.from(billionLaughs()),
    'an AVIF of a grid': isoFile('avif', 60_000),
    'a HEIC of a grid': isoFile('heic', 60_000),
    'a video': isoFile('isom', 60_000),
    'a playlist': Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
    'a JPEG that ends in the middle': photo.subarray(0, photo.length / 2),
    'a PNG that ends in the middle': png.subarray(0, png.length / 2),
    'a JPEG with an archive after it': Buffer.concat([photo, Buffer.from('PK\x03\x04'), Buffer.alloc(99)]),
    'a PNG with a page after it': Buffer.concat([png, Buffer.from('<html><script>alert(1)</script>')]),
    'a PNG whose pixels are damaged': damaged(png),
    'random bytes': Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) % 251)),
  };
  const side = large ? 5000 : 1200;
  const made: Record<string, Buffer> = {
    [`a PNG of ${side}×${side} pixels of 64 bits, interlaced`]: deepPng(side),
    'a PNG with 200 MB of compressed profile': smallPng(zipped('iCCP', 'icc', 200)),
    'a PNG that claims 4,000 frames': claimingFrames(4000),
    'a JPEG with 2,000 segments of metadata': withMetadata(photo, 2000),
    'a JPEG with 99 scans': await withScans(large ? 1600 : 400, 99),
    'a JPEG of inks': await photoOf(400, 300).toColourspace('cmyk').jpeg().toBuffer(),
  };
  const list = (files: Record<string, Buffer>, isRefused: boolean): Bomb[] =>
    Object.entries(files).map(([name, bytes]) => ({ name, bytes, refused: isRefused }));
  return [...list(refused, true), ...list(made, false)];
}

/** Dark: as the mask of a scene it covers nothing, so that no foreground is cut out of it. */
const photoOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#432' } });

/** A chunk of a keyword and that many megabytes of zeros, compressed. */
const zipped = (type: string, keyword: string, megabytes: number) =>
  chunk(type, Buffer.concat([Buffer.from(`${keyword}\0\0`), zippedZeros(megabytes)]));

function deepPng(side: number): Buffer {
  // Seven passes, each with a byte for the filter of every row.
  const passes = [
    [8, 8],
    [8, 8],
    [4, 8],
    [4, 4],
    [2, 4],
    [2, 2],
    [1, 2],
  ] as const;
  const bytes = passes.reduce((sum, [x, y]) => sum + Math.ceil(side / y) * (1 + 8 * Math.ceil(side / x)), 0);
  const data = zippedZeros(Math.ceil(bytes / 2 ** 20) + 1);
  return pngOf({ width: side, height: side, depth: 16, colour: 6, interlace: 1 }, chunk('IDAT', data));
}

function claimingFrames(frames: number): Buffer {
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames);
  const control = chunk('fcTL', Buffer.alloc(26));
  return smallPng(chunk('acTL', count), ...Array<Buffer>(frames).fill(control));
}

function withMetadata(jpeg: Buffer, segments: number): Buffer {
  const text = Buffer.from('\xff\xe1\x00\x22http://ns.adobe.com/xap/1.0/\0xx', 'latin1');
  text.writeUInt16BE(text.length - 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(segments).fill(text), jpeg.subarray(2)]);
}

/** A baseline JPEG whose only scan is repeated. */
async function withScans(side: number, count: number): Promise<Buffer> {
  const jpeg = await photoOf(side, side).greyscale().jpeg({ quality: 30 }).toBuffer();
  const start = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(start, -2);
  return Buffer.concat([jpeg.subarray(0, start), ...Array<Buffer>(count).fill(scan), jpeg.subarray(-2)]);
}

function damaged(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  const at = copy.indexOf('IDAT') + 4;
  return copy.fill(0xff, at, at + 20);
}

function gifOf(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x10\x00\x10\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1');
  const frame = Buffer.from('\x2c\x00\x00\x00\x00\x10\x00\x10\x00\x00\x02\x02\x4c\x01\x00', 'latin1');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function animatedWebp(frames: number): Buffer {
  const canvas = Buffer.from([0x02, 0, 0, 0, 0xff, 0x3f, 0, 0xff, 0x3f, 0]);
  const frame = riffChunk('ANMF', Buffer.alloc(40));
  const chunks = [riffChunk('VP8X', canvas), riffChunk('ANIM', Buffer.alloc(6))];
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks, ...Array<Buffer>(frames).fill(frame)]);
  return riffChunk('RIFF', body);
}

/** Pages that each refer to the next, and the last to the first. */
function tiffOf(pages: number): Buffer {
  const page = 18;
  const file = Buffer.alloc(8 + pages * page);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  for (let i = 0; i < pages; i++) {
    const at = 8 + i * page;
    file.writeUInt16LE(1, at);
    file.writeUInt32LE(8 + ((i + 1) % pages) * page, at + 14);
  }
  return file;
}

function billionLaughs(): string {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join(
    '',
  );
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "lol">${entities}]><svg xmlns="http://www.w3.org/2000/svg"><text>&a9;</text></svg>`;
}

/** The start of a file of the family of MP4, of a brand. */
function isoFile(brand: string, bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.writeUInt32BE(24, 0);
  file.write(`ftyp${brand}\0\0\0\0mif1${brand}`, 4, 'latin1');
  return file;
}
