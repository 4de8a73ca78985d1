import { linearOfByte } from './colour.ts';
import type { Planes } from './picture.ts';
import type { Window } from './resample.ts';

/** A picture that is laid over an area of the canvas: interleaved 8-bit sRGB and alpha, as it was decoded. */
export interface Layer extends Window {
  samples: Uint8Array;
}

/** Light that is taken where something above lets a shadow fall. */
export interface Shadow {
  /** By canvas pixel. */
  caster: Float32Array;
  /** How many rows down it falls. */
  fall: number;
  strength: number;
}

/** How much of each pixel of an area is this layer. */
export function alphaIn(layer: Layer, area: Window): Float32Array {
  const alpha = new Float32Array(area.width * area.height);
  const from = Math.max(area.x, layer.x);
  const to = Math.min(area.x + area.width, layer.x + layer.width);
  const bottom = Math.min(area.y + area.height, layer.y + layer.height);
  for (let y = Math.max(area.y, layer.y); y < bottom; y++) {
    let at = ((y - layer.y) * layer.width + from - layer.x) * 4 + 3;
    let i = (y - area.y) * area.width + from - area.x;
    for (let x = from; x < to; x++, i++, at += 4) alpha[i] = layer.samples[at]! / 255;
  }
  return alpha;
}

/** Lays a layer over the canvas, which is in linear light, and adds it to what is `covered`. In place. */
export function layLayer(
  canvas: Planes,
  canvasWidth: number,
  layer: Layer,
  gain: readonly [number, number, number],
  covered?: Float32Array,
  shadow?: Shadow,
): void {
  const [red, green, blue] = canvas;
  const { samples } = layer;
  const above = shadow ? shadow.fall * canvasWidth : 0;
  for (let y = 0, at = 0; y < layer.height; y++) {
    let i = (layer.y + y) * canvasWidth + layer.x;
    for (let x = 0; x < layer.width; x++, i++, at += 4) {
      if (samples[at + 3] === 0) continue;
      const a = samples[at + 3]! / 255;
      const light = shadow && i > above ? 1 - shadow.strength * shadow.caster[i - above]! : 1;
      red[i] = red[i]! + (linearOfByte[samples[at]!]! * gain[0] * light - red[i]!) * a;
      green[i] = green[i]! + (linearOfByte[samples[at + 1]!]! * gain[1] * light - green[i]!) * a;
      blue[i] = blue[i]! + (linearOfByte[samples[at + 2]!]! * gain[2] * light - blue[i]!) * a;
      if (covered && a > covered[i]!) covered[i] = a;
    }
  }
}
