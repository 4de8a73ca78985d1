import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/**
 * Writes the outlines that prints are lettered with: `npm run tool -- tools/letters/letters.ts FONT.woff …`. The fonts are
 * instrument-sans-latin-500-normal.woff and instrument-sans-latin-ext-500-normal.woff of the npm package
 * @fontsource/instrument-sans 5.3.0; the first file that has a letter gives it.
 */

interface Font {
  table(tag: string): DataView;
}

/** A WOFF 1.0 file: tables of a TrueType font, each deflated. */
function openFont(file: string): Font {
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, 4) !== 'wOFF') throw new Error(`${file} is no WOFF 1.0 file`);
  const tables = new Map<string, DataView>();
  for (let i = 0, at = 44; i < bytes.readUInt16BE(12); i++, at += 20) {
    const [offset, packed, length] = [4, 8, 12].map((field) => bytes.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const stored = bytes.subarray(offset, offset + packed);
    const table = Uint8Array.from(packed < length ? inflateSync(stored) : stored);
    tables.set(bytes.toString('latin1', at, at + 4), new DataView(table.buffer));
  }
  return {
    table(tag) {
      const found = tables.get(tag);
      if (!found) throw new Error(`${file} has no table ${tag}`);
      return found;
    },
  };
}

/** The glyph of every character, from a character map of format 4. */
function readCharacters(font: Font): Map<number, number> {
  const map = font.table('cmap');
  const glyphs = new Map<number, number>();
  for (let i = 0; i < map.getUint16(2); i++) {
    const start = map.getUint32(8 + 8 * i);
    if (map.getUint16(start) !== 4) continue;
    const segments = map.getUint16(start + 6) / 2;
    const [ends, starts] = [start + 14, start + 16 + 2 * segments];
    for (let s = 0; s < segments; s++) {
      const [first, last] = [map.getUint16(starts + 2 * s), map.getUint16(ends + 2 * s)];
      const delta = map.getUint16(starts + 2 * segments + 2 * s);
      const rangeAt = starts + 4 * segments + 2 * s;
      const range = map.getUint16(rangeAt);
      for (let code = first; code <= last && code < 0xffff; code++) {
        const glyph = range === 0 ? code : map.getUint16(rangeAt + range + 2 * (code - first));
        if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
      }
    }
  }
  return glyphs;
}

interface Point {
  x: number;
  y: number;
  onCurve: boolean;
}

/** The contours of a glyph, those of its parts included. */
function readContours(font: Font, glyph: number): Point[][] {
  const isLong = font.table('head').getInt16(50) === 1;
  const loca = font.table('loca');
  const offset = (index: number) => (isLong ? loca.getUint32(4 * index) : 2 * loca.getUint16(2 * index));
  if (offset(glyph) === offset(glyph + 1)) return [];
  const glyf = font.table('glyf');
  const start = offset(glyph);
  const count = glyf.getInt16(start);
  return count >= 0 ? readSimple(glyf, start, count) : readComposite(font, glyf, start + 10);
}

function readSimple(glyf: DataView, start: number, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, i) => glyf.getUint16(start + 10 + 2 * i));
  let at = start + 10 + 2 * count;
  at += 2 + glyf.getUint16(at);
  const total = (ends.at(-1) ?? -1) + 1;
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = glyf.getUint8(at++);
    const times = flag & 8 ? glyf.getUint8(at++) + 1 : 1;
    for (let i = 0; i < times; i++) flags.push(flag);
  }
  const readAxis = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyf.getUint8(at++) : -glyf.getUint8(at++);
      else if (!(flag & same)) {
        value += glyf.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(2, 16);
  const ys = readAxis(4, 32);
  const points = flags.map((flag, i) => ({ x: xs[i]!, y: ys[i]!, onCurve: (flag & 1) === 1 }));
  return ends.map((end, i) => points.slice((ends[i - 1] ?? -1) + 1, end + 1));
}

function readComposite(font: Font, glyf: DataView, start: number): Point[][] {
  const contours: Point[][] = [];
  for (let at = start, flags = 32; flags & 32; ) {
    flags = glyf.getUint16(at);
    const part = readContours(font, glyf.getUint16(at + 2));
    if (!(flags & 2) || flags & 0xc8)
      throw new Error('a glyph has parts that are scaled or matched by points');
    const [dx, dy] =
      flags & 1
        ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
        : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)];
    at += flags & 1 ? 8 : 6;
    contours.push(
      ...part.map((points) => points.map(({ x, y, onCurve }) => ({ x: x + dx, y: y + dy, onCurve }))),
    );
  }
  return contours;
}

/** An SVG path, with y downwards. */
function pathOf(contours: readonly Point[][]): string {
  return contours
    .filter((points) => points.length > 1)
    .map(contourPath)
    .join('');
}

function contourPath(points: readonly Point[]): string {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, onCurve: true });
  const begin = points.findIndex(({ onCurve }) => onCurve);
  const turned =
    begin < 0
      ? [middle(points[0]!, points.at(-1)!), ...points]
      : [...points.slice(begin), ...points.slice(0, begin)];
  const write = ({ x, y }: Point) => `${round(x)} ${round(-y)}`;
  let path = `M${write(turned[0]!)}`;
  for (let i = 1; i <= turned.length; i++) {
    const point = turned[i % turned.length]!;
    if (point.onCurve) {
      if (i < turned.length) path += `L${write(point)}`;
      continue;
    }
    const next = turned[(i + 1) % turned.length]!;
    path += `Q${write(point)} ${write(next.onCurve ? next : middle(point, next))}`;
    if (next.onCurve) i++;
  }
  return `${path}Z`;
}

const round = (value: number) => Math.round(value * 10) / 10;

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: npm run tool -- tools/letters/letters.ts FONT.woff …');
const letters: Record<string, [advance: number, path: string]> = {};
const metrics = { ascender: 0, descender: 0 };
for (const font of files.map(openFont)) {
  const [hhea, hmtx] = [font.table('hhea'), font.table('hmtx')];
  metrics.ascender = hhea.getInt16(4);
  metrics.descender = -hhea.getInt16(6);
  const widths = hhea.getUint16(34);
  for (const [code, glyph] of readCharacters(font)) {
    const letter = String.fromCodePoint(code);
    // Control characters have no outline, and combining marks stand on the letter before them.
    if (/[\p{C}\p{M}]/u.test(letter) || letters[letter]) continue;
    letters[letter] = [hmtx.getUint16(4 * Math.min(glyph, widths - 1)), pathOf(readContours(font, glyph))];
  }
}
const sorted = Object.fromEntries(Object.entries(letters).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const source =
  'Outlines of Instrument Sans Medium. Copyright 2022 The Instrument Sans Project Authors (https://github.com/Instrument/instrument-sans). SIL Open Font License 1.1: http://scripts.sil.org/OFL';
const output = join(import.meta.dirname, '../../packages/engine/src/picture-tasks/letters.json');
writeFileSync(output, `${JSON.stringify({ source, ...metrics, letters: sorted })}\n`);
console.log(`${Object.keys(sorted).length} letters`);
