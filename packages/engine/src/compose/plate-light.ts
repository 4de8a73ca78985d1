import { labOf, luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
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
  const samples: LinearRgb[] = [];
  for (let y = 0; y < height; y += 6) {
    for (let x = 0; x < width; x += 6) {
      const i = y * width + x;
      samples.push([colour[0][i]!, colour[1][i]!, colour[2][i]!]);
    }
  }
  const sorted = Float32Array.from(samples, (sample) => luminance(...sample)).sort();
  const mean: LinearRgb = [0, 0, 0];
  let chroma = 0;
  for (const sample of samples) {
    for (let c = 0; c < 3; c++) mean[c] = mean[c]! + sample[c]! / samples.length;
    const [, a, b] = labOf(...sample);
    chroma += Math.hypot(a, b) / samples.length;
  }
  return { illuminant: shadesOfGrey(samples), mean, black: percentileOfSorted(sorted, 0.01), chroma };
}

/** Colour of the light in a photo or plate by shades of grey (Finlayson and Trezzi 2004, p = 3), of luminance 1. */
export function shadesOfGrey(samples: readonly LinearRgb[]): LinearRgb {
  const sum: LinearRgb = [0, 0, 0];
  let count = 0;
  for (const sample of samples) {
    if (Math.max(...sample) > 0.96) continue;
    for (let c = 0; c < 3; c++) sum[c] = sum[c]! + sample[c]! ** 3;
    count++;
  }
  const light = sum.map((value) => Math.cbrt(value / Math.max(1, count))) as LinearRgb;
  return unitLuminance(light);
}

export function unitLuminance(colour: LinearRgb): LinearRgb {
  const level = luminance(...colour) + 1e-5;
  return colour.map((value) => value / level) as LinearRgb;
}
