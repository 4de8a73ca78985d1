import type { Face } from '../faces/face.ts';
import { meshDistance } from '../faces/face-outline.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Shot } from './shot.ts';

/** For each eye: its upper and lower lid, and its corners. */
const eyes = [
  [159, 145, 33, 133],
  [386, 374, 362, 263],
] as const;

/** The height of an open eye, as a share of its width. */
const openEye = 0.26;

/** How good a shot is by itself: everybody's eyes open, and then the widest smiles. */
export function rateShot({ faces }: Pick<Shot, 'faces'>): number {
  return Math.min(...faces.map(opennessOf)) + 0.4 * Math.min(...faces.map(smileOf));
}

export function opennessOf({ points }: Face): number {
  const open = eyes.map(
    ([upper, lower, outer, inner]) => meshDistance(points, upper, lower) / meshDistance(points, outer, inner),
  );
  return clamp(Math.min(...open) / openEye, 0, 1);
}

/** The width of the mouth against that of the eyes. */
function smileOf({ points }: Face): number {
  return clamp(meshDistance(points, 61, 291) / meshDistance(points, 33, 263) / 0.7, 0, 1);
}
