import type { Face } from '../faces/face.ts';
import { moveFace, scanFace } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import { mapPlanes, type Planes } from '../pixels/picture.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { spreadOverHeads } from './face-light.ts';
import type { LinearRgb } from './plate-light.ts';

const forRows = rowsOf(import.meta.url);

/** What pupils, lashes and nostrils have of a face's mean luminance in each channel, in a photo without a veil. */
const usualDark: LinearRgb = [0.12, 0.06, 0.05];

/**
 * The least of the three shares from which on there is a veil, and from which on all of it is removed. On 39 faces of
 * sample photos it was at most 0.11 without one, and 0.16 to 0.24 in a photo against the sun.
 */
const veilShares = { from: 0.12, to: 0.16 };

/** The least red and blue of a veil, as a share of its green. */
const leastBeside = 0.8;

/** The most that is removed, as a share of the face's mean luminance. */
const mostVeil = 0.4;

/** Of a dark pixel some of each channel stays: else shadows turn to one colour, and to the blocks of a JPEG. */
const mostOfPixel = 0.65;

/**
 * Removes the veil that the sun or a lamp in the lens lays over heads, in place: light that is added to everything, so
 * that even pupils are grey. Faces tell how strong it is, each around itself.
 */
export function removeVeil(cutout: Cutout): void {
  const { width, height, colour, faces } = cutout;
  const veils = faces.map((face) => veilOver(cutout, face));
  if (veils.every((veil) => luminance(...veil) === 0)) return;
  withArena(() => {
    const veil = mapPlanes(colour, (_, c) => {
      const amounts = veils.map((one) => one[c]!);
      return spreadOverHeads(cutout, faces, amounts).data;
    });
    forRows(veilRows, height, { width, veil }, { colour });
  });
}

export function veilRows(
  { width, veil }: { width: number; veil: Planes },
  { colour: [red, green, blue] }: { colour: Planes },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const [r, g, b] = [veil[0][i]!, veil[1][i]!, veil[2][i]!];
    if (g === 0) continue;
    // Of all channels the same share of the veil, so that colours do not turn.
    const share = Math.min(1, mostOfPixel * Math.min(red[i]! / r, green[i]! / g, blue[i]! / b));
    red[i] = red[i]! - share * r;
    green[i] = green[i]! - share * g;
    blue[i] = blue[i]! - share * b;
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
  const veil = dark.map(
    (value, c) => strength * clamp(value - usualDark[c]! * mean, 0, mostVeil * mean),
  ) as LinearRgb;
  // Lamps and the sky are white to blue: where red is lacking, dark glasses have swallowed it.
  const least = leastBeside * veil[1];
  return [Math.max(veil[0], least), veil[1], Math.max(veil[2], least)];
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
