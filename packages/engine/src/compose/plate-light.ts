import { labOf, luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import { mapPlanes, type Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import type { Plate } from '../scenes/scenes.ts';

/** Linear light. */
export type LinearRgb = [red: number, green: number, blue: number];

/** The light of a plate, measured on its linear values. */
export interface PlateLight {
  /** Colour of the light, by shades of grey over what is not clipped; luminance 1. */
  illuminant: LinearRgb;
  mean: LinearRgb;
  /** Luminance that a hundredth of its pixels lie below. */
  black: number;
  /** Mean chroma in Lab. */
  chroma: number;
}

export function measurePlateLight({ width, height, colour }: Plate): PlateLight {
  const samples = mapPlanes(colour, (plane) => takeEvery(plane, 6, { width, height }));
  const [red, green, blue] = samples;
  const sorted = red.map((value, i) => luminance(value, green[i]!, blue[i]!)).sort();
  let chroma = 0;
  for (let i = 0; i < red.length; i++) {
    const [, a, b] = labOf(red[i]!, green[i]!, blue[i]!);
    chroma += Math.hypot(a, b);
  }
  return {
    illuminant: shadesOfGrey(samples),
    mean: samples.map((values) => meanOf(values)) as LinearRgb,
    black: percentileOfSorted(sorted, 0.01),
    chroma: chroma / red.length,
  };
}

/** The values of every so many columns and rows. */
function takeEvery(plane: Float32Array, step: number, { width, height }: Size): Float32Array {
  const taken = new Float32Array(Math.ceil(width / step) * Math.ceil(height / step));
  for (let y = 0, i = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step, i++) taken[i] = plane[y * width + x]!;
  }
  return taken;
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Colour of the light in a photo or plate by shades of grey (Finlayson and Trezzi 2004, p = 3), of luminance 1. */
export function shadesOfGrey([red, green, blue]: Planes): LinearRgb {
  const sum: LinearRgb = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < red.length; i++) {
    const [r, g, b] = [red[i]!, green[i]!, blue[i]!];
    if (Math.max(r, g, b) > 0.96) continue;
    sum[0] += r * r * r;
    sum[1] += g * g * g;
    sum[2] += b * b * b;
    count++;
  }
  const light = sum.map((value) => Math.cbrt(value / Math.max(1, count))) as LinearRgb;
  return unitLuminance(light);
}

export function unitLuminance(colour: LinearRgb): LinearRgb {
  const level = luminance(...colour) + 1e-5;
  return colour.map((value) => value / level) as LinearRgb;
}
