import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { type BrushPrint, printLength, printWidth } from './brush.ts';
import type { Flow } from './flow.ts';
import type { Plane } from './plane.ts';

export interface Canvas {
  picture: Picture;
  /** How thick the paint lies. */
  body: Plane;
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

/** Lays one layer of strokes over the canvas, coloured from the reference, running with its forms. */
export function paintStrokes(
  canvas: Canvas,
  reference: Picture,
  flow: Flow,
  layer: StrokeLayer,
  prints: readonly BrushPrint[],
  random: () => number,
): void {
  const { width, height } = reference;
  const spacing = Math.max(1.5, Math.sqrt((layer.width * layer.length) / layer.overlap));
  const columns = Math.ceil(width / spacing);
  const rows = Math.ceil(height / spacing);
  const order = shuffled(columns * rows, random);
  const stroke: Stroke = { fromX: 0, fromY: 0, x: 0, y: 0, toX: 0, toY: 0, halfWidth: layer.width / 2 };
  const [red, green, blue] = reference.planes;
  for (const cell of order) {
    const x = clamp(((cell % columns) + random()) * spacing, 0, width - 1);
    const y = clamp((Math.floor(cell / columns) + random()) * spacing, 0, height - 1);
    const pixel = (y | 0) * width + (x | 0);
    const print = prints[(random() * prints.length) | 0]!;
    const shift = (random() - 0.5) * layer.variety;
    const warmth = (random() - 0.5) * layer.variety * 0.5;
    if (random() >= layer.wanted(pixel)) continue;
    stroke.x = x;
    stroke.y = y;
    const forward = trace(reference, flow, layer, pixel, x, y, 1);
    stroke.toX = forward[0];
    stroke.toY = forward[1];
    const back = trace(reference, flow, layer, pixel, x, y, -1);
    stroke.fromX = back[0];
    stroke.fromY = back[1];
    press(
      canvas,
      stroke,
      print,
      red[pixel]! + shift + warmth,
      green[pixel]! + shift,
      blue[pixel]! + shift - warmth,
      layer.opacity,
    );
  }
}

interface Stroke {
  fromX: number;
  fromY: number;
  x: number;
  y: number;
  toX: number;
  toY: number;
  halfWidth: number;
}

function shuffled(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
  return order;
}

const traced: [number, number] = [0, 0];

/** Follows the flow from a stroke's middle to one of its ends. */
function trace(
  reference: Picture,
  flow: Flow,
  layer: StrokeLayer,
  pixel: number,
  x: number,
  y: number,
  side: number,
): [number, number] {
  const { width, height } = reference;
  const [red, green, blue] = reference.planes;
  const step = Math.max(1, layer.width * 0.4);
  const slantX = Math.cos(layer.slant);
  const slantY = Math.sin(layer.slant);
  let dx = slantX * side;
  let dy = slantY * side;
  let walked = 0;
  traced[0] = x;
  traced[1] = y;
  while (walked < layer.length / 2) {
    const at = (traced[1] >> 1) * flow.width + (traced[0] >> 1);
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
    const nx = traced[0] + dx * step;
    const ny = traced[1] + dy * step;
    if (nx < 0 || ny < 0 || nx >= width || ny >= height) break;
    const j = (ny | 0) * width + (nx | 0);
    const apart =
      Math.abs(red[j]! - red[pixel]!) +
      Math.abs(green[j]! - green[pixel]!) +
      Math.abs(blue[j]! - blue[pixel]!);
    if (apart > layer.limit) break;
    traced[0] = nx;
    traced[1] = ny;
    walked += step;
  }
  return traced;
}

/** Prints one bent stroke: from end to end, through its middle. */
function press(
  canvas: Canvas,
  stroke: Stroke,
  print: BrushPrint,
  red: number,
  green: number,
  blue: number,
  opacity: number,
): void {
  const { width, height } = canvas.picture;
  const [outRed, outGreen, outBlue] = canvas.picture.planes;
  const body = canvas.body.data;
  let alongX = stroke.toX - stroke.fromX;
  let alongY = stroke.toY - stroke.fromY;
  const chord = Math.sqrt(alongX * alongX + alongY * alongY);
  if (chord < 1) {
    alongX = 1;
    alongY = 0;
  } else {
    alongX /= chord;
    alongY /= chord;
  }
  const midX = (stroke.toX + stroke.fromX) / 2;
  const midY = (stroke.toY + stroke.fromY) / 2;
  const halfWidth = stroke.halfWidth;
  const halfLength = chord / 2 + halfWidth * 0.8;
  const sag = clamp((stroke.y - midY) * alongX - (stroke.x - midX) * alongY, -halfWidth * 2, halfWidth * 2);
  const reachV = halfWidth + Math.abs(sag);
  const spanY = Math.abs(alongY) * halfLength + Math.abs(alongX) * reachV;
  const top = Math.max(0, Math.ceil(midY - spanY));
  const bottom = Math.min(height - 1, Math.floor(midY + spanY));
  for (let y = top; y <= bottom; y++) {
    const dy = y - midY;
    // The row's stretch inside the turned rectangle, from both pairs of sides.
    let left = -1e9;
    let right = 1e9;
    if (Math.abs(alongX) > 1e-4) {
      const a = (-halfLength - dy * alongY) / alongX;
      const b = (halfLength - dy * alongY) / alongX;
      left = Math.max(left, Math.min(a, b));
      right = Math.min(right, Math.max(a, b));
    }
    if (Math.abs(alongY) > 1e-4) {
      const a = (dy * alongX - reachV) / alongY;
      const b = (dy * alongX + reachV) / alongY;
      left = Math.max(left, Math.min(a, b));
      right = Math.min(right, Math.max(a, b));
    }
    const from = Math.max(0, Math.ceil(midX + left));
    const to = Math.min(width - 1, Math.floor(midX + right));
    for (let x = from; x <= to; x++) {
      const dx = x - midX;
      const u = (dx * alongX + dy * alongY) / halfLength;
      const v = (dy * alongX - dx * alongY - sag * (1 - u * u)) / halfWidth;
      if (v <= -1 || v >= 1 || u <= -1 || u >= 1) continue;
      const at = (((v + 1) * printWidth * 0.5) | 0) * printLength + (((u + 1) * printLength * 0.5) | 0);
      const cover = print.cover[at]! * opacity;
      if (cover < 0.02) continue;
      const i = y * width + x;
      outRed[i]! += (red - outRed[i]!) * cover;
      outGreen[i]! += (green - outGreen[i]!) * cover;
      outBlue[i]! += (blue - outBlue[i]!) * cover;
      body[i]! += (print.body[at]! - body[i]!) * cover;
    }
  }
}
