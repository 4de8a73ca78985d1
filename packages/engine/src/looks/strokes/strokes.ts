import { clamp, smoothstep } from '../../pixels/colour.ts';
import type { Picture, Planes } from '../../pixels/picture.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { type BrushPrint, printLength, printWidth } from './brush.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

/** What is painted on: red, green, blue and how thick the paint lies, side by side, since a stroke changes all four. */
export interface Canvas extends Size {
  paint: Float32Array;
}

/** A canvas on which the picture is already laid, thinly. */
export function primed({ width, height, planes }: Picture): Canvas {
  const paint = allocate(width * height * 4);
  forRows(primeRows, height, { width, planes }, { paint });
  return { width, height, paint };
}

export function primeRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { paint }: { paint: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width, at = i * 4; i < to * width; i++, at += 4) {
    paint[at] = red[i]!;
    paint[at + 1] = green[i]!;
    paint[at + 2] = blue[i]!;
    paint[at + 3] = 0;
  }
}

/** How thick the paint lies. */
export function bodyOf({ width, height, paint }: Canvas): Plane {
  const plane = allocatePlane({ width, height });
  forRows(bodyRows, height, { width, paint }, { body: plane.data });
  return plane;
}

export function bodyRows(
  { width, paint }: Pick<Canvas, 'width' | 'paint'>,
  { body }: { body: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) body[i] = paint[i * 4 + 3]!;
}

export interface StrokeLayer {
  /** Pixels. */
  width: number;
  length: number;
  /** How many strokes lie over each other on average. */
  overlap: number;
  opacity: number;
  /** How far each stroke's colour leaves the reference's, 0 to 1. */
  variety: number;
  /** Colour difference at which a stroke ends instead of running over a contour. */
  limit: number;
  /** Radians that all strokes are drawn at where the forms have no direction. */
  slant: number;
  /** 0 to 1: how much the stroke beginning at this pixel is wanted. */
  wanted(pixel: number): number;
}

type Touch = Omit<StrokeLayer, 'wanted'>;

/** What chance gives a stroke: its middle, how much lighter and warmer than its place it is, number of its print. */
const chanceFields = 5;
/** What is printed: middle of the chord, its direction, half its length, sag, red, green, blue, number of the print. */
const printFields = 10;

/** Lays one layer of strokes over the canvas, coloured from the reference, running with its forms. */
export function paintStrokes(
  canvas: Canvas,
  reference: Picture,
  flow: Flow,
  { wanted, ...touch }: StrokeLayer,
  prints: readonly BrushPrint[],
  random: () => number,
): void {
  const { width, height, planes } = reference;
  const spacing = Math.max(1.5, Math.sqrt((touch.width * touch.length) / touch.overlap));
  const columns = Math.ceil(width / spacing);
  const order = shuffled(columns * Math.ceil(height / spacing), random);
  withArena(() => {
    const chances = allocate(order.length * chanceFields);
    // Strokes lie over each other in chance's order; looked at are they as they stand side by side.
    const strokeAt = allocateIntegers(order.length);
    const demands = new Float32Array(order.length);
    for (const [stroke, cell] of order.entries()) {
      const at = stroke * chanceFields;
      chances[at] = clamp(((cell % columns) + random()) * spacing, 0, width - 1);
      chances[at + 1] = clamp((Math.floor(cell / columns) + random()) * spacing, 0, height - 1);
      chances[at + 2] = (random() * prints.length) | 0;
      chances[at + 3] = (random() - 0.5) * touch.variety;
      chances[at + 4] = (random() - 0.5) * touch.variety * 0.5;
      demands[stroke] = random();
      strokeAt[cell] = stroke;
    }
    for (let cell = 0; cell < order.length; cell++) {
      const stroke = strokeAt[cell]!;
      const at = stroke * chanceFields;
      const pixel = (chances[at + 1]! | 0) * width + (chances[at]! | 0);
      if (demands[stroke]! >= wanted(pixel)) strokeAt[cell] = unwanted;
    }
    const strokes = allocate(order.length * printFields);
    const spans = allocateIntegers(order.length * 2);
    spans.fill(unwanted);
    const input = { chances, strokeAt, planes, width, height, flow, touch };
    forRows(traceStrokes, order.length, input, { strokes, spans });
    const sheet = {
      width,
      height,
      strokes,
      spans,
      prints,
      halfWidth: touch.width / 2,
      opacity: touch.opacity,
    };
    const swaths = inSwaths(spans, height);
    forRows(pressSwaths, swaths.begins.length - 1, { ...sheet, ...swaths }, { paint: canvas.paint });
  });
}

function shuffled(count: number, random: () => number): Int32Array {
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let i = count - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
  return order;
}

/** In place of a stroke's number or rows: there is none. */
const unwanted = -1;

interface Traced {
  chances: Float32Array;
  /** The stroke of each cell. */
  strokeAt: Int32Array;
  planes: Planes;
  width: number;
  height: number;
  flow: Flow;
  touch: Touch;
}

/** Follows the flow from each stroke's middle to both ends and says how it lies: cell by cell, not row by row. */
export function traceStrokes(
  input: Traced,
  { strokes, spans }: { strokes: Float32Array; spans: Int32Array },
  from: number,
  to: number,
): void {
  const { chances, strokeAt, planes, width, height, touch } = input;
  const [red, green, blue] = planes;
  const halfWidth = touch.width / 2;
  const ends: [number, number] = [0, 0];
  const slantX = Math.cos(touch.slant);
  const slantY = Math.sin(touch.slant);
  for (let cell = from; cell < to; cell++) {
    const stroke = strokeAt[cell]!;
    if (stroke === unwanted) continue;
    const chance = stroke * chanceFields;
    const x = chances[chance]!;
    const y = chances[chance + 1]!;
    trace(input, x, y, slantX, slantY, 1, ends);
    const [toX, toY] = ends;
    trace(input, x, y, slantX, slantY, -1, ends);
    const [fromX, fromY] = ends;
    let alongX = toX - fromX;
    let alongY = toY - fromY;
    const chord = Math.sqrt(alongX * alongX + alongY * alongY);
    if (chord < 1) {
      alongX = 1;
      alongY = 0;
    } else {
      alongX /= chord;
      alongY /= chord;
    }
    const midX = (toX + fromX) / 2;
    const midY = (toY + fromY) / 2;
    const halfLength = chord / 2 + halfWidth * 0.8;
    const sag = clamp((y - midY) * alongX - (x - midX) * alongY, -halfWidth * 2, halfWidth * 2);
    const spanY = Math.abs(alongY) * halfLength + Math.abs(alongX) * (halfWidth + Math.abs(sag));
    const at = stroke * printFields;
    strokes[at] = midX;
    strokes[at + 1] = midY;
    strokes[at + 2] = alongX;
    strokes[at + 3] = alongY;
    strokes[at + 4] = halfLength;
    strokes[at + 5] = sag;
    const pixel = (y | 0) * width + (x | 0);
    const shift = chances[chance + 3]!;
    const warmth = chances[chance + 4]!;
    strokes[at + 6] = red[pixel]! + shift + warmth;
    strokes[at + 7] = green[pixel]! + shift;
    strokes[at + 8] = blue[pixel]! + shift - warmth;
    strokes[at + 9] = chances[chance + 2]!;
    spans[stroke * 2] = Math.max(0, Math.ceil(midY - spanY));
    spans[stroke * 2 + 1] = Math.min(height - 1, Math.floor(midY + spanY));
  }
}

/** One end of a stroke. */
function trace(
  { planes, width, height, flow, touch }: Traced,
  x: number,
  y: number,
  slantX: number,
  slantY: number,
  side: number,
  end: [number, number],
): void {
  const [red, green, blue] = planes;
  const pixel = (y | 0) * width + (x | 0);
  const step = Math.max(1, touch.width * 0.4);
  let dx = slantX * side;
  let dy = slantY * side;
  let px = x;
  let py = y;
  for (let walked = 0; walked < touch.length / 2; walked += step) {
    const at = (py >> 1) * flow.width + (px >> 1);
    let fx = flow.x[at]!;
    let fy = flow.y[at]!;
    // At the middle both sides have to choose the same direction, so they compare with the slant.
    const sign =
      walked === 0 ? (fx * slantX + fy * slantY < 0 ? -side : side) : fx * dx + fy * dy < 0 ? -1 : 1;
    const trust = smoothstep(0.15, 0.45, flow.clearness[at]!);
    fx = fx * sign * trust + dx * (1 - trust);
    fy = fy * sign * trust + dy * (1 - trust);
    const size = Math.sqrt(fx * fx + fy * fy) + 1e-6;
    dx = fx / size;
    dy = fy / size;
    const nx = px + dx * step;
    const ny = py + dy * step;
    if (nx < 0 || ny < 0 || nx >= width || ny >= height) break;
    const j = (ny | 0) * width + (nx | 0);
    const apart =
      Math.abs(red[j]! - red[pixel]!) +
      Math.abs(green[j]! - green[pixel]!) +
      Math.abs(blue[j]! - blue[pixel]!);
    if (apart > touch.limit) break;
    px = nx;
    py = ny;
  }
  end[0] = px;
  end[1] = py;
}

/** Rows that strokes are printed in together, few enough for their paint to stay in the cache from stroke to stroke. */
const swath = 16;

interface Swaths {
  /** Where each swath's strokes begin among the members, and where the last one's end. */
  begins: Int32Array;
  /** The strokes that touch a swath, in the order they are laid. */
  members: Int32Array;
}

function inSwaths(spans: Int32Array, height: number): Swaths {
  const begins = allocateIntegers(Math.ceil(height / swath) + 1).fill(0);
  for (let at = 0; at < spans.length; at += 2) {
    if (spans[at] === unwanted) continue;
    const last = (spans[at + 1]! / swath) | 0;
    for (let k = (spans[at]! / swath) | 0; k <= last; k++) begins[k + 1]! += 1;
  }
  for (let k = 1; k < begins.length; k++) begins[k]! += begins[k - 1]!;
  const members = allocateIntegers(begins.at(-1)!);
  const next = new Int32Array(begins);
  for (let at = 0; at < spans.length; at += 2) {
    if (spans[at] === unwanted) continue;
    const last = (spans[at + 1]! / swath) | 0;
    for (let k = (spans[at]! / swath) | 0; k <= last; k++) members[next[k]!++] = at / 2;
  }
  return { begins, members };
}

interface Sheet extends Size {
  strokes: Float32Array;
  /** First and last row of each stroke. */
  spans: Int32Array;
  prints: readonly BrushPrint[];
  halfWidth: number;
  opacity: number;
}

/** Prints the strokes one over the other: of each what is in these swaths. */
export function pressSwaths(
  { begins, members, ...sheet }: Sheet & Swaths,
  { paint }: Pick<Canvas, 'paint'>,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const first = at * swath;
    const last = Math.min(sheet.height, first + swath) - 1;
    for (let k = begins[at]!; k < begins[at + 1]!; k++) press(sheet, members[k]!, first, last, paint);
  }
}

/** One stroke, bent from end to end through its middle, in the rows from first to last. */
function press(
  { width, strokes, spans, prints, halfWidth, opacity }: Sheet,
  stroke: number,
  first: number,
  last: number,
  paint: Float32Array,
): void {
  const top = Math.max(first, spans[stroke * 2]!);
  const bottom = Math.min(last, spans[stroke * 2 + 1]!);
  const field = stroke * printFields;
  const midX = strokes[field]!;
  const midY = strokes[field + 1]!;
  const alongX = strokes[field + 2]!;
  const alongY = strokes[field + 3]!;
  const halfLength = strokes[field + 4]!;
  const sag = strokes[field + 5]!;
  const red = strokes[field + 6]!;
  const green = strokes[field + 7]!;
  const blue = strokes[field + 8]!;
  const print = prints[strokes[field + 9]! | 0]!;
  // A bent stroke leaves its chord to one side only.
  const least = -halfWidth + Math.min(0, sag);
  const most = halfWidth + Math.max(0, sag);
  // From places in the picture to places in the print.
  const perLength = printLength / 2 / halfLength;
  const perWidth = printWidth / 2 / halfWidth;
  const stepU = alongX * perLength;
  const stepV = -alongY * perWidth;
  const bend = (sag * perWidth) / (printLength / 2) ** 2;
  const perX = 1 / alongX;
  const perY = 1 / alongY;
  for (let y = top; y <= bottom; y++) {
    const dy = y - midY;
    // The row's stretch inside the turned rectangle, from both pairs of sides.
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
