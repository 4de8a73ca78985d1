import type { Size } from '@guise/contract/families/canvas.ts';
import { invalidImage } from './image-errors.ts';

/** Sides of a photo that was cropped by a pixel or two are still of one shape. */
const tolerance = 0.02;

/**
 * Refuses photos that are not of one burst by their shape. They may differ in size, and lie on their sides, which cameras
 * note in the file.
 */
export function assertOneShape(photos: readonly Size[]): void {
  const [first, ...others] = photos;
  if (!first) return;
  const shape = elongation(first);
  const odd = others.findIndex((photo) => Math.abs(elongation(photo) / shape - 1) > tolerance);
  if (odd < 0) return;
  const { width, height } = others[odd]!;
  throw invalidImage(
    `Photo ${odd + 2} measures ${width}×${height} and the first ${first.width}×${first.height}. The photos of a burst must have one size.`,
  );
}

const elongation = ({ width, height }: Size) => Math.max(width, height) / Math.min(width, height);
