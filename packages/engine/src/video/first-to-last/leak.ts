import type { Size } from '../../pixels/plane.ts';
import type { Lattice } from '../layers/layer-warp.ts';
import type { Weights } from './mix.ts';

/** Warm white, as luma and chroma. */
export const leakColour = [228, 104, 152] as const;

/** Share of the clip around its middle in which light falls in. */
const span = 0.42;

/**
 * A light leak: two soft glows that cross the picture from one side while one frame gives way to the other. False
 * when there is none at this time.
 */
export function leakOver(
  { columns, rows, step }: Lattice,
  { width, height }: Size,
  time: number,
  strength: number,
  weights: Weights,
): boolean {
  const done = (time - 0.5) / span + 0.5;
  if (done <= 0 || done >= 1) return false;
  const rise = Math.sin(Math.PI * done) ** 2 * strength;
  const unit = Math.hypot(width, height);
  const glows = [
    { x: (1.25 - 1.3 * done) * width, y: (0.1 + 0.25 * done) * height, size: 0.42 * unit, strength: 0.85 },
    { x: (1.1 - 0.9 * done) * width, y: (0.95 - 0.2 * done) * height, size: 0.26 * unit, strength: 0.55 },
  ];
  for (let row = 0, n = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, n++) {
      let dark = 1;
      for (const glow of glows) {
        const far = ((column * step - glow.x) ** 2 + (row * step - glow.y) ** 2) / glow.size ** 2;
        dark *= 1 - Math.min(0.96, rise * glow.strength * Math.exp(-far * 1.6));
      }
      weights[n] = 1 - dark < 0.004 ? 0 : 1 - dark;
    }
  }
  return true;
}
