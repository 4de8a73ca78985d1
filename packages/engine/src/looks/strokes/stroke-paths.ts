import type { Picture } from '../../pixels/picture.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { allocate, allocateIntegers } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import {
  noStroke,
  type StrokeShape,
  type StrokeStarts,
  type Strokes,
  startFields,
  strokeFields,
} from './stroke-values.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

interface TraceOptions {
  reference: Picture;
  flow: Flow;
  shape: StrokeShape;
}

/** Follows the flow from the middle of each stroke to both ends. */
export function traceStrokes(starts: StrokeStarts, options: TraceOptions): Strokes {
  const count = starts.strokeAt.length;
  const values = allocate(count * strokeFields);
  const spans = allocateIntegers(count * 2).fill(noStroke);
  const { slant } = options.shape;
  const input = { starts, ...options, slantX: Math.cos(slant), slantY: Math.sin(slant) };
  forRows(traceCells, count, input, { values, spans });
  return { values, spans };
}

interface TraceInput extends TraceOptions {
  starts: StrokeStarts;
  slantX: number;
  slantY: number;
}

interface Point {
  x: number;
  y: number;
}

export function traceCells(
  input: TraceInput,
  { values, spans }: Strokes,
  firstCell: number,
  endCell: number,
): void {
  const { starts, reference, shape } = input;
  const { width, height, planes } = reference;
  const [red, green, blue] = planes;
  const halfWidth = shape.width / 2;
  for (let cell = firstCell; cell < endCell; cell++) {
    const stroke = starts.strokeAt[cell]!;
    if (stroke === noStroke) continue;
    const from = stroke * startFields;
    const x = starts.values[from]!;
    const y = starts.values[from + 1]!;
    const head = traceEnd(input, { x, y }, 1);
    const tail = traceEnd(input, { x, y }, -1);
    let alongX = head.x - tail.x;
    let alongY = head.y - tail.y;
    const chord = Math.sqrt(alongX * alongX + alongY * alongY);
    if (chord < 1) {
      alongX = 1;
      alongY = 0;
    } else {
      alongX /= chord;
      alongY /= chord;
    }
    const midX = (head.x + tail.x) / 2;
    const midY = (head.y + tail.y) / 2;
    const halfLength = chord / 2 + halfWidth * 0.8;
    const sag = clamp((y - midY) * alongX - (x - midX) * alongY, -halfWidth * 2, halfWidth * 2);
    const spanY = Math.abs(alongY) * halfLength + Math.abs(alongX) * (halfWidth + Math.abs(sag));
    const at = stroke * strokeFields;
    values[at] = midX;
    values[at + 1] = midY;
    values[at + 2] = alongX;
    values[at + 3] = alongY;
    values[at + 4] = halfLength;
    values[at + 5] = sag;
    const pixel = (y | 0) * width + (x | 0);
    const shift = starts.values[from + 3]!;
    const warmth = starts.values[from + 4]!;
    values[at + 6] = red[pixel]! + shift + warmth;
    values[at + 7] = green[pixel]! + shift;
    values[at + 8] = blue[pixel]! + shift - warmth;
    values[at + 9] = starts.values[from + 2]!;
    spans[stroke * 2] = Math.max(0, Math.ceil(midY - spanY));
    spans[stroke * 2 + 1] = Math.min(height - 1, Math.floor(midY + spanY));
  }
}

/** Follows the flow from the middle of a stroke to one of its ends. */
function traceEnd({ reference, flow, shape, slantX, slantY }: TraceInput, start: Point, side: 1 | -1): Point {
  const { width, height, planes } = reference;
  const [red, green, blue] = planes;
  const pixel = (start.y | 0) * width + (start.x | 0);
  const step = Math.max(1, shape.width * 0.4);
  let dx = slantX * side;
  let dy = slantY * side;
  let px = start.x;
  let py = start.y;
  for (let walked = 0; walked < shape.length / 2; walked += step) {
    const at = (py >> 1) * flow.width + (px >> 1);
    let fx = flow.x[at]!;
    let fy = flow.y[at]!;
    // At the middle both sides have to choose the same direction, so they are compared with the slant.
    const sign =
      walked === 0 ? (fx * slantX + fy * slantY < 0 ? -side : side) : fx * dx + fy * dy < 0 ? -1 : 1;
    const trust = smoothstep(0.15, 0.45, flow.coherence[at]!);
    fx = fx * sign * trust + dx * (1 - trust);
    fy = fy * sign * trust + dy * (1 - trust);
    const size = Math.sqrt(fx * fx + fy * fy) + 1e-6;
    dx = fx / size;
    dy = fy / size;
    const nx = px + dx * step;
    const ny = py + dy * step;
    if (nx < 0 || ny < 0 || nx >= width || ny >= height) break;
    const j = (ny | 0) * width + (nx | 0);
    const difference =
      Math.abs(red[j]! - red[pixel]!) +
      Math.abs(green[j]! - green[pixel]!) +
      Math.abs(blue[j]! - blue[pixel]!);
    if (difference > shape.limit) break;
    px = nx;
    py = ny;
  }
  return { x: px, y: py };
}
