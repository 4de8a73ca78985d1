import { smoothstep } from '../../pixels/scalar.ts';

/** Samples of a print along and across the stroke. */
export const printLength = 48;
export const printWidth = 16;

/** What bristles leave on the canvas: cover and thickness alternating, along × across. */
export type BrushPrint = Float32Array;

/** Twelve different prints of a brush; a dry brush (1) leaves gaps and ends early. */
export function makeBrushPrints(random: () => number, dryness: number): BrushPrint[] {
  return Array.from({ length: 12 }, () => makePrint(random, dryness));
}

function makePrint(random: () => number, dryness: number): BrushPrint {
  const print = new Float32Array(2 * printLength * printWidth);
  for (let row = 0; row < printWidth; row++) {
    const across = Math.abs((2 * (row + 0.5)) / printWidth - 1);
    const paint = 0.55 + 0.45 * random();
    const start = 0.02 + 0.12 * random() * dryness + 0.1 * across * across;
    const end = 0.98 - 0.4 * random() * dryness - 0.12 * across * across;
    const gap = random() < dryness * 0.35 ? 0.35 : 1;
    for (let column = 0; column < printLength; column++) {
      const along = (column + 0.5) / printLength;
      const touch =
        smoothstep(start - 0.03, start + 0.05, along) *
        smoothstep(end + 0.06, end - 0.06, along) *
        smoothstep(1.02, 0.72, across);
      const at = 2 * (row * printLength + column);
      print[at] = touch * gap;
      // Paint is thicker at the sides and where the brush lifts.
      print[at + 1] =
        touch * (paint + 0.35 * smoothstep(0.6, 0.9, across) + 0.25 * smoothstep(end - 0.15, end, along));
    }
  }
  return print;
}
