import { luminance } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { type ReducedPlane, readReduced, reduce } from '../pixels/reduce.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

interface Fringed {
  /** Estimated colours of people and of what was behind them, in display values. */
  colour: Planes;
  background: Planes;
  alpha: Float32Array;
  /** How near hair is, from 0 to 1: only between strands is a colour taken for a mixture. */
  hair: Float32Array;
  /** Where all lie on the canvas. */
  area: Size;
}

/**
 * Removes from thin parts what the estimate left of the old background. A colour that lies between the solid colour
 * beside it and a brighter background is a mixture: its share of background goes, from the colour and from the matte.
 * What remains is drawn towards the solid colour, the thinner the more. Against a darker background the rim may as well
 * be dark hair around a face: it is taken for a mixture only where the matte says so too. Soft patches far from
 * anything solid that are of another colour than it are stray pieces of the room, and go. In place.
 */
export function removeFringe({ colour, background, alpha, hair, area }: Fringed, sigma: number): void {
  const { width, height } = area;
  const quarter = (plane: Float32Array) => reduce({ width, height, data: plane }, 4);
  withArena(() => {
    // The network calls bright background between strands solid: near an edge nothing is taken as given.
    const small = quarter(alpha);
    const depth = { ...gaussianBlur(small, (1.2 * sigma) / 4), factor: 4 };
    const solid = allocate(alpha.length);
    forRows(solidRows, height, { alpha, depth, width }, { solid });
    const weight = spreadOut(quarter(solid), sigma);
    const masked = allocate(alpha.length);
    const spread = colour.map((plane) => {
      forRows(maskRows, height, { plane, solid, width }, { masked });
      return spreadOut(quarter(masked), sigma);
    });
    forRows(defringeRows, height, { background, width, hair, solid, weight, spread }, { colour, alpha });
  });
}

export function solidRows(
  { alpha, depth, width }: { alpha: Float32Array; depth: ReducedPlane; width: number },
  { solid }: { solid: Float32Array },
  from: number,
  to: number,
): void {
  solid.fill(0, from * width, to * width);
  for (let y = from, i = from * width; y < to; y++) {
    for (let x = 0; x < width; x++, i++) {
      const certain = smoothstep(0.97, 0.99, alpha[i]!);
      if (certain === 0) continue;
      const near = depth.data[(y >> 2) * depth.width + (x >> 2)]!;
      if (near <= 0.9) continue;
      // Soft: a limit here would stand in the picture as a row of steps along the hair.
      solid[i] = near > 0.995 ? certain : certain * smoothstep(0.92, 0.97, readReduced(depth, x, y));
    }
  }
}

export function maskRows(
  { plane, solid, width }: { plane: Float32Array; solid: Float32Array; width: number },
  { masked }: { masked: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) masked[i] = plane[i]! * solid[i]!;
}

interface Around {
  background: Planes;
  width: number;
  hair: Float32Array;
  solid: Float32Array;
  /** How much solid is near, and its colour times that. */
  weight: ReducedPlane;
  spread: ReducedPlane[];
}

export function defringeRows(
  { background, width, hair, solid, weight, spread }: Around,
  { colour, alpha }: { colour: Planes; alpha: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = colour;
  for (let i = from * width; i < to * width; i++) {
    const a = alpha[i]!;
    if (a <= 0.003 || solid[i] === 1) continue;
    const x = i % width;
    const y = (i / width) | 0;
    const w = readReduced(weight, x, y);
    if (w <= 1e-4) continue;
    const r = readReduced(spread[0]!, x, y) / w;
    const g = readReduced(spread[1]!, x, y) / w;
    const b = readReduced(spread[2]!, x, y) / w;
    const wayR = background[0][i]! - r;
    const wayG = background[1][i]! - g;
    const wayB = background[2][i]! - b;
    const offR = red[i]! - r;
    const offG = green[i]! - g;
    const offB = blue[i]! - b;
    const length = wayR * wayR + wayG * wayG + wayB * wayB;
    const along = (offR * wayR + offG * wayG + offB * wayB) / (length + 1e-4);
    // Where both colours are alike there is nothing to tell apart; off the line between them it is another colour,
    // and beyond the background it is light on the edge.
    const beside = offR * offR + offG * offG + offB * offB - along * along * length;
    const told = clamp((length - 0.01) / 0.05, 0, 1) * clamp(1 - beside / (0.12 * length + 1e-4), 0, 1);
    const brighter = smoothstep(0, 0.1, luminance(wayR, wayG, wayB));
    const seen = brighter + (1 - brighter) * smoothstep(0.95, 0.5, a);
    const open = 1 - solid[i]!;
    const mixed = open * seen * hair[i]! * told * clamp(along - 0.08, 0, 1) * clamp((1.25 - along) * 5, 0, 1);
    const pull = open * Math.min(1, 1.15 * (1 - a) ** 0.6) * clamp(400 * w, 0, 1);
    const strange = Math.sqrt(offR * offR + offG * offG + offB * offB);
    const stray = smoothstep(0.03, 0.008, w) * smoothstep(0.06, 0.18, strange) * smoothstep(0.95, 0.8, a);
    red[i] = clamp(red[i]! - mixed * wayR + (mixed * wayR - offR) * pull, 0, 1);
    green[i] = clamp(green[i]! - mixed * wayG + (mixed * wayG - offG) * pull, 0, 1);
    blue[i] = clamp(blue[i]! - mixed * wayB + (mixed * wayB - offB) * pull, 0, 1);
    alpha[i] = a * (1 - 0.75 * mixed) * (1 - stray);
  }
}

/** Values from nearby; from further off only where nothing is near. */
function spreadOut(plane: ReducedPlane, sigma: number): ReducedPlane {
  const near = gaussianBlur(plane, (1.5 * sigma) / 4).data;
  const far = gaussianBlur(plane, (6 * sigma) / 4).data;
  for (let i = 0; i < near.length; i++) near[i] = near[i]! + 0.03 * far[i]!;
  return { ...plane, data: near };
}
