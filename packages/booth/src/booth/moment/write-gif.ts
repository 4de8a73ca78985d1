import type { GifFrame } from './frame.ts';
import { type Palette, paletteOf } from './palette.ts';

/** How long each picture is shown, in hundredths of a second. */
const delay = 13;
/** 4 × 4 thresholds: colours between two of the palette become a pattern of both, and not steps. */
const thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map(
  (one) => (one / 16 - 0.47) * 20,
);

/** A GIF of frames of one size, forwards and backwards, without end. */
export function writeGif(frames: readonly GifFrame[]): Uint8Array<ArrayBuffer> {
  const [first] = frames;
  if (!first) throw new Error('there is no frame');
  const palette = paletteOf(frames);
  const written = frames.map((frame) => writeFrame(frame, palette));
  const back = written.slice(1, -1).toReversed();
  return joined([
    ascii('GIF89a'),
    Uint8Array.of(...word(first.width), ...word(first.height), 0xf7, 0, 0),
    palette.table,
    Uint8Array.of(0x21, 0xff, 11),
    ascii('NETSCAPE2.0'),
    Uint8Array.of(3, 1, 0, 0, 0),
    ...written,
    ...back,
    Uint8Array.of(0x3b),
  ]);
}

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const word = (value: number) => [value & 0xff, value >> 8] as const;

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function writeFrame(frame: GifFrame, palette: Palette): Uint8Array {
  const { width, height } = frame;
  return joined([
    Uint8Array.of(0x21, 0xf9, 4, 4, ...word(delay), 0, 0),
    Uint8Array.of(0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0),
    compress(indicesOf(frame, palette)),
  ]);
}

function indicesOf({ data, width, height }: GifFrame, { nearest }: Palette): Uint8Array {
  const indices = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const shift = thresholds[(y & 3) * 4 + (x & 3)]!;
      indices[i] = nearest(data[4 * i]! + shift, data[4 * i + 1]! + shift, data[4 * i + 2]! + shift);
    }
  return indices;
}

const clearCode = 256;
const endCode = 257;
const mostCodes = 4096;

/** LZW as GIFs have it, in blocks of 255 bytes. */
function compress(indices: Uint8Array): Uint8Array {
  const bits = new BitWriter(indices.length + 1024);
  // Where the sequence `prefix`, `index` has a code: by both in one number.
  const codes = new Int16Array(mostCodes * 256);
  let next = endCode + 1;
  let size = 9;
  bits.write(clearCode, size);
  let prefix = indices[0]!;
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << 8) | indices[i]!;
    const known = codes[key]!;
    if (known !== 0) {
      prefix = known;
      continue;
    }
    bits.write(prefix, size);
    prefix = indices[i]!;
    if (next < mostCodes) {
      if (next === 1 << size && size < 12) size++;
      codes[key] = next++;
    } else {
      bits.write(clearCode, size);
      codes.fill(0);
      next = endCode + 1;
      size = 9;
    }
  }
  bits.write(prefix, size);
  if (next === 1 << size && size < 12) size++;
  bits.write(endCode, size);
  return bits.blocks();
}

class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  #held = 0;
  #bits = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  write(code: number, size: number): void {
    this.#held |= code << this.#bits;
    this.#bits += size;
    while (this.#bits >= 8) this.#push();
  }

  #push(): void {
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#length);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes[this.#length++] = this.#held & 0xff;
    this.#held >>>= 8;
    this.#bits -= 8;
  }

  /** The smallest code, all bytes in blocks with their lengths, and the empty block at the end. */
  blocks(): Uint8Array {
    if (this.#bits > 0) this.#push();
    const count = Math.ceil(this.#length / 255);
    const all = new Uint8Array(1 + this.#length + count + 1);
    all[0] = 8;
    for (let block = 0, at = 1; block < count; block++) {
      const part = this.#bytes.subarray(block * 255, Math.min(this.#length, (block + 1) * 255));
      all[at] = part.length;
      all.set(part, at + 1);
      at += part.length + 1;
    }
    return all;
  }
}
