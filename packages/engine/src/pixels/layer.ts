import { rowsOf } from '../runtime/parallel-rows.ts';
import { linearOfByte } from './colour.ts';
import type { Planes } from './picture.ts';
import type { Plane, Size } from './plane.ts';
import type { Window } from './resample.ts';

const forRows = rowsOf(import.meta.url);

/** The picture that is being made, in linear light. */
export interface Canvas extends Size {
  colour: Planes;
}

/** A picture that covers an area of the canvas: interleaved 8-bit sRGB and alpha, as it was decoded. */
export interface Layer extends Window {
  samples: Uint8Array;
}

/** A shadow that falls onto a layer. */
export interface Shadow {
  /** How much of each pixel of an area of the canvas casts it. */
  caster: Plane & Window;
  /** How many rows below the caster it falls. */
  offset: number;
  /** The share of light that it takes at most. */
  strength: number;
}

export interface DrawOptions {
  /** A factor on each channel, in linear light. */
  gain?: readonly [number, number, number];
  /** Is raised to the layer's alpha wherever that is more. */
  coverage?: Plane;
  shadow?: Shadow;
}

/** Draws a layer over the canvas, in place. */
export function drawLayer(
  { width, colour }: Canvas,
  layer: Layer,
  { gain = [1, 1, 1], coverage, shadow }: DrawOptions = {},
): void {
  const output = { colour, covered: coverage?.data ?? null };
  forRows(layerRows, layer.height, { canvasWidth: width, layer, gain, shadow }, output);
}

interface DrawnLayer {
  canvasWidth: number;
  layer: Layer;
  gain: readonly [number, number, number];
  shadow: Shadow | undefined;
}

export function layerRows(
  { canvasWidth, layer, gain, shadow }: DrawnLayer,
  { colour, covered }: { colour: Planes; covered: Float32Array | null },
  from: number,
  to: number,
): void {
  const [red, green, blue] = colour;
  const { samples } = layer;
  for (let y = from, at = 4 * from * layer.width; y < to; y++) {
    const light = shadow ? lightOnRow(layer, y, shadow) : null;
    let i = (layer.y + y) * canvasWidth + layer.x;
    for (let x = 0; x < layer.width; x++, i++, at += 4) {
      if (samples[at + 3] === 0) continue;
      const a = samples[at + 3]! / 255;
      const lit = light ? light[x]! : 1;
      red[i] = red[i]! + (linearOfByte[samples[at]!]! * gain[0] * lit - red[i]!) * a;
      green[i] = green[i]! + (linearOfByte[samples[at + 1]!]! * gain[1] * lit - green[i]!) * a;
      blue[i] = blue[i]! + (linearOfByte[samples[at + 2]!]! * gain[2] * lit - blue[i]!) * a;
      if (covered && a > covered[i]!) covered[i] = a;
    }
  }
}

/** The share of light that a shadow leaves to each pixel of a layer's row; null where it does not reach the row. */
function lightOnRow(layer: Layer, y: number, { caster, offset, strength }: Shadow): Float32Array | null {
  const row = layer.y + y - offset - caster.y;
  if (row < 0 || row >= caster.height) return null;
  const light = new Float32Array(layer.width).fill(1);
  const from = Math.max(layer.x, caster.x);
  const to = Math.min(layer.x + layer.width, caster.x + caster.width);
  for (let x = from; x < to; x++) {
    light[x - layer.x] = 1 - strength * caster.data[row * caster.width + x - caster.x]!;
  }
  return light;
}

/** The layer's alpha in an area of the canvas, 0 where the layer does not reach. */
export function layerAlpha(layer: Layer, area: Window): Plane {
  const alpha = new Float32Array(area.width * area.height);
  const from = Math.max(area.x, layer.x);
  const to = Math.min(area.x + area.width, layer.x + layer.width);
  const bottom = Math.min(area.y + area.height, layer.y + layer.height);
  for (let y = Math.max(area.y, layer.y); y < bottom; y++) {
    let at = ((y - layer.y) * layer.width + from - layer.x) * 4 + 3;
    let i = (y - area.y) * area.width + from - area.x;
    for (let x = from; x < to; x++, i++, at += 4) alpha[i] = layer.samples[at]! / 255;
  }
  return { width: area.width, height: area.height, data: alpha };
}
