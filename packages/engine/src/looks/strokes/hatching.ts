import { whiteNoise } from '../../pixels/noise.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Side of the noise that strokes are read from, a power of two. */
const side = 512;

export interface Hatching {
  /** Direction of the strokes, in radians. */
  angle: number;
  /** Pixels from stroke to stroke, and along a stroke. */
  spacing: number;
  length: number;
  seed: number;
}

/** Even parallel strokes, 0 to 1: noise stretched along the strokes. */
export function hatch({ width, height }: Size, { angle, spacing, length, seed }: Hatching): Plane {
  return withArena(() => {
    const plane = allocatePlane({ width, height });
    const lattice = whiteNoise({ width: side, height: side }, seed).data;
    forRows(hatchRows, height, { width, angle, spacing, length, lattice }, { data: plane.data });
    return plane;
  });
}

interface HatchInput extends Omit<Hatching, 'seed'> {
  width: number;
  lattice: Float32Array;
}

export function hatchRows(
  { width, angle, spacing, length, lattice }: HatchInput,
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  const alongX = Math.cos(angle) / length;
  const alongY = Math.sin(angle) / length;
  const acrossX = -Math.sin(angle) / spacing;
  const acrossY = Math.cos(angle) / spacing;
  for (let y = from; y < to; y++) {
    for (let x = 0; x < width; x++) {
      const u = x * alongX + y * alongY + 1024;
      const v = x * acrossX + y * acrossY + 4096;
      const iu = u | 0;
      const iv = v | 0;
      const fu = u - iu;
      const fv = v - iv;
      const su = fu * fu * (3 - 2 * fu);
      const left = iu & (side - 1);
      const right = (iu + 1) & (side - 1);
      const above = (iv & (side - 1)) * side;
      const below = ((iv + 1) & (side - 1)) * side;
      const a = lattice[above + left]! + (lattice[above + right]! - lattice[above + left]!) * su;
      const b = lattice[below + left]! + (lattice[below + right]! - lattice[below + left]!) * su;
      data[y * width + x] = a + (b - a) * fv;
    }
  }
}
