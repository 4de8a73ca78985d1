import type { Face } from '../faces/face.ts';
import { moveFace, scanFace } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import type { Planes } from '../pixels/picture.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { spreadOverPeople } from './face-light.ts';
import type { LinearRgb } from './plate-light.ts';

const forRows = rowsOf(import.meta.url);

/** What pupils, lashes and nostrils have of a face's mean luminance in each channel, in a photo without a veil. */
const usualDark: LinearRgb = [0.12, 0.06, 0.05];

/**
 * The least of the three shares from which on there is a veil, and from which on all of it is removed. On 39 faces of
 * sample photos it was at most 0.11 without one, and 0.16 to 0.24 in a photo against the sun.
 */
const veilShares = { from: 0.12, to: 0.16 };

/** The most that is removed, as a share of the face's mean luminance. */
const mostVeil = 0.4;

/**
 * Removes the veil that the sun or a lamp in the lens lays over people, in place: light that is added to everything, so
 * that even pupils are grey. Faces tell how strong it is, each around itself.
 */
export function removeVeil(cutout: Cutout): void {
  const { width, height, colour, faces } = cutout;
  const veils = faces.map((face) => veilOver(cutout, face));
  const amounts = veils.map((veil) => luminance(...veil));
  const spread = spreadOverPeople(cutout, faces, amounts);
  if (!spread) return;
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const tint = [0, 1, 2].map((c) => veils.reduce((sum, veil) => sum + veil[c]!, 0) / total) as LinearRgb;
  forRows(veilRows, height, { width, amount: spread.data, tint }, { colour });
}

/** Dark pixels keep some of each channel, all of them the same share of the veil: else shadows turn to one colour. */
const mostOfPixel = 0.75;

export function veilRows(
  { width, amount, tint }: { width: number; amount: Float32Array; tint: LinearRgb },
  { colour: [red, green, blue] }: { colour: Planes },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const veil = amount[i]!;
    if (veil === 0) continue;
    const least = Math.min(red[i]! / tint[0], green[i]! / tint[1], blue[i]! / tint[2]);
    const taken = Math.min(veil, mostOfPixel * least);
    red[i] = red[i]! - taken * tint[0];
    green[i] = green[i]! - taken * tint[1];
    blue[i] = blue[i]! - taken * tint[2];
  }
}

/** The light that lies over a face; none in most photos. */
function veilOver({ x, y, width, height, colour }: Cutout, face: Face): LinearRgb {
  const values: number[][] = [[], [], []];
  scanFace(moveFace(face, { scale: 1, x: -x, y: -y }), 1, { width, height }, (row, left, right) => {
    for (let column = left; column <= right; column++) {
      for (const [c, plane] of colour.entries()) values[c]!.push(plane[row * width + column]!);
    }
  });
  const mean = luminance(...(values.map(meanOf) as LinearRgb));
  if (!(mean > 0)) return [0, 0, 0];
  const dark = values.map((channel) => percentileOfSorted(Float32Array.from(channel).sort(), 0.01));
  const strength = smoothstep(veilShares.from, veilShares.to, Math.min(...dark) / mean);
  return dark.map(
    (value, c) => strength * clamp(value - usualDark[c]! * mean, 0, mostVeil * mean),
  ) as LinearRgb;
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
