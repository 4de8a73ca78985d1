import type { Size } from '../../pixels/plane.ts';
import { allocateIntegers } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { type BrushPrint, printLength, printWidth } from './brush-prints.ts';
import type { PaintCanvas } from './paint-canvas.ts';
import { noStroke, type Strokes, strokeFields } from './stroke-values.ts';

const forRows = rowsOf(import.meta.url);

/** Rows that strokes are printed in together: few enough for their paint to stay in the cache from stroke to stroke. */
const bandHeight = 16;

interface Brush {
  prints: readonly BrushPrint[];
  halfWidth: number;
  opacity: number;
}

/** Prints the strokes on the canvas, one over the other. */
export function printStrokes({ width, height, paint }: PaintCanvas, strokes: Strokes, brush: Brush): void {
  const bands = sortIntoBands(strokes.spans, height);
  const input = { width, height, strokes, bands, ...brush };
  forRows(printBands, bands.begins.length - 1, input, { paint });
}

interface Bands {
  /** Where the strokes of each band begin in `members`, and where those of the last one end. */
  begins: Int32Array;
  /** The strokes that touch each band, in the order they are painted. */
  members: Int32Array;
}

/** Sorts strokes by the bands that they touch. */
function sortIntoBands(spans: Int32Array, height: number): Bands {
  const begins = allocateIntegers(Math.ceil(height / bandHeight) + 1).fill(0);
  for (let at = 0; at < spans.length; at += 2) {
    if (spans[at] === noStroke) continue;
    const last = (spans[at + 1]! / bandHeight) | 0;
    for (let k = (spans[at]! / bandHeight) | 0; k <= last; k++) begins[k + 1]! += 1;
  }
  for (let k = 1; k < begins.length; k++) begins[k]! += begins[k - 1]!;
  const members = allocateIntegers(begins.at(-1)!);
  const next = new Int32Array(begins);
  for (let at = 0; at < spans.length; at += 2) {
    if (spans[at] === noStroke) continue;
    const last = (spans[at + 1]! / bandHeight) | 0;
    for (let k = (spans[at]! / bandHeight) | 0; k <= last; k++) members[next[k]!++] = at / 2;
  }
  return { begins, members };
}

interface PrintInput extends Size, Brush {
  strokes: Strokes;
  bands: Bands;
}

/** Prints the part of each stroke that is in these bands. */
export function printBands(
  input: PrintInput,
  { paint }: Pick<PaintCanvas, 'paint'>,
  from: number,
  to: number,
): void {
  const { begins, members } = input.bands;
  for (let band = from; band < to; band++) {
    const first = band * bandHeight;
    const rows = { first, last: Math.min(input.height, first + bandHeight) - 1 };
    for (let k = begins[band]!; k < begins[band + 1]!; k++) printStroke(input, members[k]!, rows, paint);
  }
}

interface Rows {
  first: number;
  last: number;
}

/** Prints one stroke, bent from end to end through its middle, in the rows of a band. */
function printStroke(input: PrintInput, stroke: number, band: Rows, paint: Float32Array): void {
  const { width, strokes, prints, halfWidth, opacity } = input;
  const { values, spans } = strokes;
  const top = Math.max(band.first, spans[stroke * 2]!);
  const bottom = Math.min(band.last, spans[stroke * 2 + 1]!);
  const field = stroke * strokeFields;
  const midX = values[field]!;
  const midY = values[field + 1]!;
  const alongX = values[field + 2]!;
  const alongY = values[field + 3]!;
  const halfLength = values[field + 4]!;
  const sag = values[field + 5]!;
  const red = values[field + 6]!;
  const green = values[field + 7]!;
  const blue = values[field + 8]!;
  const print = prints[values[field + 9]! | 0]!;
  // A bent stroke lies on one side of its chord.
  const least = -halfWidth + Math.min(0, sag);
  const most = halfWidth + Math.max(0, sag);
  // From pixels of the picture to samples of the print.
  const perLength = printLength / 2 / halfLength;
  const perWidth = printWidth / 2 / halfWidth;
  const stepU = alongX * perLength;
  const stepV = -alongY * perWidth;
  const bend = (sag * perWidth) / (printLength / 2) ** 2;
  const perX = 1 / alongX;
  const perY = 1 / alongY;
  for (let y = top; y <= bottom; y++) {
    const dy = y - midY;
    // The columns of this row inside of the rotated rectangle, from both pairs of its sides.
    let left = -1e9;
    let right = 1e9;
    if (Math.abs(alongX) > 1e-4) {
      const a = (-halfLength - dy * alongY) * perX;
      const b = (halfLength - dy * alongY) * perX;
      left = Math.max(left, Math.min(a, b));
      right = Math.min(right, Math.max(a, b));
    }
    if (Math.abs(alongY) > 1e-4) {
      const a = (dy * alongX - most) * perY;
      const b = (dy * alongX - least) * perY;
      left = Math.max(left, Math.min(a, b));
      right = Math.min(right, Math.max(a, b));
    }
    const begin = Math.max(0, Math.ceil(midX + left)) | 0;
    const end = Math.min(width - 1, Math.floor(midX + right)) | 0;
    const startU = (dy * alongY - midX * alongX) * perLength;
    const startV = (dy * alongX + midX * alongY - sag) * perWidth + printWidth / 2;
    for (let x = begin; x <= end; x++) {
      const u = startU + x * stepU;
      const v = startV + x * stepV + bend * u * u;
      if (v <= 0 || v >= printWidth || u <= -printLength / 2 || u >= printLength / 2) continue;
      const mark = (v | 0) * printLength + ((u + printLength / 2) | 0);
      const cover = print[2 * mark]! * opacity;
      if (cover < 0.02) continue;
      const at = (y * width + x) * 4;
      paint[at] = paint[at]! + (red - paint[at]!) * cover;
      paint[at + 1] = paint[at + 1]! + (green - paint[at + 1]!) * cover;
      paint[at + 2] = paint[at + 2]! + (blue - paint[at + 2]!) * cover;
      paint[at + 3] = paint[at + 3]! + (print[2 * mark + 1]! - paint[at + 3]!) * cover;
    }
  }
}
