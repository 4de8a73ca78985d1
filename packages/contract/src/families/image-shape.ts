import type { Size } from './canvas.ts';

/**
 * What a picture may measure beside its number of pixels. Phones stitch panoramas of up to 10:1, and a face of 64 pixels
 * is the least that can be worked on, so no photo that can be used is refused. Work on a picture grows with its shape as
 * well as with its pixels: 25,000,000×1 is a file of 24 KB and kept an engine busy for more than a minute.
 */
export const shapeLimits = { leastSide: 8, greatestRatio: 20 } as const;

/** What is wrong with a picture's shape, as the end of a sentence that names the picture; null for nothing. */
export function shapeProblem({ width, height }: Size): string | null {
  const { leastSide, greatestRatio } = shapeLimits;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short >= leastSide && long <= greatestRatio * short) return null;
  return `measures ${width}×${height}. Each side needs at least ${leastSide} pixels, and at least a ${greatestRatio}th of the other`;
}
