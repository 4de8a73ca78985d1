import { allocateCopy, withArena } from '../runtime/arena.ts';
import { boxMeans } from './box-mean.ts';
import { blurByKernel, widestKernel } from './gaussian-kernel.ts';
import type { Radii } from './kernels/wasm-kernels.ts';
import type { Plane } from './plane.ts';
import { enlarge, type ReducedPlane, reduce } from './reduce.ts';

/** Gaussian blur. Small ones by their kernel; others by three box means, on a reduced plane where σ allows it. */
export function gaussianBlur(plane: Plane, sigma: number): Plane {
  if (sigma < 0.3) return { width: plane.width, height: plane.height, data: allocateCopy(plane.data) };
  if (sigma <= widestKernel) return blurByKernel(plane, sigma);
  return withArena(() => {
    const { factor, ...blurred } = blurReduced(plane, sigma);
    return factor === 1 ? blurred : enlarge(blurred, plane, factor);
  });
}

/** A Gaussian blur by box means that is left reduced, for kernels that read it once, row by row. */
export function blurReduced(plane: Plane, sigma: number): ReducedPlane {
  const factor = sigma > 24 ? 8 : sigma > 10 ? 4 : sigma > 5 ? 2 : 1;
  return withArena(() => {
    const small = factor === 1 ? plane : reduce(plane, factor);
    return { ...boxMeans(small, radiiOf(sigma / factor)), factor };
  });
}

/** Radii of three box means, of two widths, whose variances add up to the Gaussian's. */
function radiiOf(sigma: number): Radii {
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  const radius = (pass: number) => (narrows > pass ? narrow : narrow + 1);
  return [radius(0), radius(1), radius(2)];
}
