import { whiteNoise } from '../../pixels/noise.ts';
import { allocatePlane, type Plane } from '../../pixels/plane.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** Side of the noise that strokes are read from, a power of two. */
const size = 512;

/** Even strokes all drawn at one angle, 0 to 1: noise that is long along the strokes and short across them. */
export function hatch(
  width: number,
  height: number,
  angle: number,
  spacing: number,
  length: number,
  seed: number,
): Plane {
  return withArena(() => {
    const plane = allocatePlane({ width, height });
    const lattice = whiteNoise({ width: size, height: size }, seed).data;
    forRows(hatchRows, height, { width, angle, spacing, length, lattice }, { data: plane.data });
    return plane;
  });
}

interface Hatching {
  width: number;
  angle: number;
  spacing: number;
  length: number;
  lattice: Float32Array;
}

export function hatchRows(
  { width, angle, spacing, length, lattice }: Hatching,
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
      const left = iu & (size - 1);
      const right = (iu + 1) & (size - 1);
      const above = (iv & (size - 1)) * size;
      const below = ((iv + 1) & (size - 1)) * size;
      const a = lattice[above + left]! + (lattice[above + right]! - lattice[above + left]!) * su;
      const b = lattice[below + left]! + (lattice[below + right]! - lattice[below + left]!) * su;
      data[y * width + x] = a + (b - a) * fv;
    }
  }
}
