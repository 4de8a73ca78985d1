import type { GifFrame } from './frame.ts';

/** The 256 colours of a GIF. */
export interface Palette {
  /** Red, green and blue of each. */
  table: Uint8Array;
  /** The number of the colour that is nearest. Values beyond 0 to 255 are those at the ends. */
  nearest(red: number, green: number, blue: number): number;
}

/** Pixels that are looked at for the palette: more of them change little. */
const samples = 12_000;

interface Box {
  /** Numbers of colours in `found`. */
  from: number;
  to: number;
  channel: number;
  spread: number;
}

/** The colours of all frames by median cut: the box with the widest range is cut in two where half of its pixels are. */
export function paletteOf(frames: readonly GifFrame[]): Palette {
  const found = sampleColours(frames);
  const boxes = [boxOf(found, 0, found.length)];
  while (boxes.length < 256) {
    const widest = boxes.reduce((best, box) => (box.spread > best.spread ? box : best));
    if (widest.spread === 0) break;
    const { from, to, channel } = widest;
    found.subarray(from, to).sort((one, other) => channelOf(one, channel) - channelOf(other, channel));
    const middle = (from + to) >> 1;
    boxes.splice(boxes.indexOf(widest), 1, boxOf(found, from, middle), boxOf(found, middle, to));
  }
  const table = new Uint8Array(3 * 256);
  for (const [i, { from, to }] of boxes.entries())
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let at = from; at < to; at++) sum += channelOf(found[at]!, channel);
      table[3 * i + channel] = Math.round(sum / Math.max(1, to - from));
    }
  return { table, nearest: lookUp(table, boxes.length) };
}

const channelOf = (colour: number, channel: number) => (colour >> (8 * channel)) & 0xff;

function sampleColours(frames: readonly GifFrame[]): Uint32Array {
  const pixels = frames.reduce((sum, { width, height }) => sum + width * height, 0);
  const step = Math.max(1, Math.floor(pixels / samples));
  const found: number[] = [];
  for (const { data, width, height } of frames)
    for (let i = 0; i < width * height; i += step)
      found.push(data[4 * i]! | (data[4 * i + 1]! << 8) | (data[4 * i + 2]! << 16));
  return Uint32Array.from(found);
}

function boxOf(found: Uint32Array, from: number, to: number): Box {
  let [channel, spread] = [0, 0];
  for (let each = 0; each < 3; each++) {
    let [least, most] = [255, 0];
    for (let at = from; at < to; at++) {
      const value = channelOf(found[at]!, each);
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (most - least > spread) [channel, spread] = [each, most - least];
  }
  return { from, to, channel, spread };
}

/** Each of 32 × 32 × 32 colours is looked for once. */
function lookUp(table: Uint8Array, count: number): Palette['nearest'] {
  const known = new Int16Array(1 << 15).fill(-1);
  const clamp = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value);
  return (red, green, blue) => {
    const [r, g, b] = [clamp(red), clamp(green), clamp(blue)];
    const key = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
    if (known[key]! >= 0) return known[key]!;
    let [best, least] = [0, Infinity];
    for (let i = 0; i < count; i++) {
      const [dr, dg, db] = [table[3 * i]! - r, table[3 * i + 1]! - g, table[3 * i + 2]! - b];
      // Eyes tell greens apart best.
      const distance = 3 * dr * dr + 6 * dg * dg + db * db;
      if (distance < least) [best, least] = [i, distance];
    }
    known[key] = best;
    return best;
  };
}
