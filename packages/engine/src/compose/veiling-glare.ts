import { darkestParts, glareShares } from '../faces/darkest-parts.ts';
import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { luminance } from '../pixels/colour.ts';
import type { Planes } from '../pixels/picture.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { spreadOverBodies } from './face-light.ts';
import type { LinearRgb } from './plate-light.ts';

const forRows = rowsOf(import.meta.url);

/** What pupils, lashes and nostrils have of a face's mean luminance in each channel, in a photo without glare. */
const usualDark: LinearRgb = [0.12, 0.06, 0.05];

/** The least red and blue of glare, as a share of its green. */
const leastBeside = 0.8;

/** The most that is removed, as a share of the face's mean luminance. */
const mostGlare = 0.4;

/** Of a dark pixel some of each channel stays: else shadows turn to one colour, and to the blocks of a JPEG. */
const mostOfPixel = 0.65;

/**
 * Removes the veiling glare that the sun or a lamp in the lens lays over people, in place: light that is added to
 * everything, so that even pupils are grey. Faces tell how strong it is, each nearest to itself.
 */
export function removeVeilingGlare(cutout: Cutout, glares: readonly LinearRgb[] = glaresOver(cutout)): void {
  const { width, height, colour, faces } = cutout;
  if (glares.every((glare) => luminance(...glare) === 0)) return;
  withArena(() => {
    const glare = spreadOverBodies(cutout, faces, glares);
    forRows(glareRows, height, { width, glare }, { colour });
  });
}

export function glareRows(
  { width, glare }: { width: number; glare: Planes },
  { colour: [red, green, blue] }: { colour: Planes },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const [r, g, b] = [glare[0][i]!, glare[1][i]!, glare[2][i]!];
    if (g === 0) continue;
    // Of all channels the same share of the glare, so that colours do not turn.
    const share = Math.min(1, mostOfPixel * Math.min(red[i]! / r, green[i]! / g, blue[i]! / b));
    red[i] = red[i]! - share * r;
    green[i] = green[i]! - share * g;
    blue[i] = blue[i]! - share * b;
  }
}

/** The light that lies over each face. */
export function glaresOver(cutout: Cutout): LinearRgb[] {
  return cutout.faces.map((face) => glareOver(cutout, face));
}

/** The light that lies over a face; none in most photos. */
function glareOver({ x, y, width, height, colour }: Cutout, face: Face): LinearRgb {
  const placed = moveFace(face, { scale: 1, x: -x, y: -y });
  const { dark, mean } = darkestParts({ width, height, planes: colour }, placed);
  if (!(mean > 0)) return [0, 0, 0];
  const strength = smoothstep(glareShares.from, glareShares.to, Math.min(...dark) / mean);
  const glare = dark.map(
    (value, c) => strength * clamp(value - usualDark[c]! * mean, 0, mostGlare * mean),
  ) as LinearRgb;
  // Lamps and the sky are white to blue: where red is lacking, dark glasses have swallowed it.
  const least = leastBeside * glare[1];
  return [Math.max(glare[0], least), glare[1], Math.max(glare[2], least)];
}
