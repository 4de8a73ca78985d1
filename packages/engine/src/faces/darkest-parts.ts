import { luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Face } from './face.ts';
import { scanFace } from './face-outline.ts';

/**
 * The share of a face's mean luminance that the lowest channel of its darkest parts has: from the first on there is
 * veiling glare over it, from the second on nothing but glare explains it. It was at most 0.11 on 33 faces without any,
 * and 0.16 to 0.24 on five of a photo against the sun.
 */
export const glareShares = { from: 0.12, to: 0.16 };

/** As many rows of a face are enough to know its darkest parts. */
const samplesAlong = 90;

/** The darkest parts of a face in each channel, pupils, lashes and nostrils, and its mean luminance, in linear light. */
export interface DarkestParts {
  dark: [number, number, number];
  mean: number;
}

/** Reads them from a picture in linear light. */
export function darkestParts({ width, height, planes }: Picture, face: Face): DarkestParts {
  const values: [number[], number[], number[]] = [[], [], []];
  const step = Math.max(1, Math.round(face.height / samplesAlong));
  scanFace(face, 1, { width, height }, (row, left, right) => {
    if (row % step > 0) return;
    for (let column = left; column <= right; column += step) {
      for (const [c, plane] of planes.entries()) values[c]!.push(plane[row * width + column]!);
    }
  });
  const [red, green, blue] = values;
  const darkest = (channel: number[]) => percentileOfSorted(Float32Array.from(channel).sort(), 0.01);
  return {
    dark: [darkest(red), darkest(green), darkest(blue)],
    mean: luminance(meanOf(red), meanOf(green), meanOf(blue)),
  };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
