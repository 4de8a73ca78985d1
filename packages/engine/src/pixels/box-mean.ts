import { allocate, withArena } from '../runtime/arena.ts';
import { boxMeansAcross, boxMeansDown, type Radii } from './kernels/wasm-kernels.ts';
import type { Plane } from './plane.ts';

/** Mean over a square of side 2·radius + 1, at the border over what is inside; cost does not grow with the radius. */
export function boxMean(plane: Plane, radius: number): Plane {
  return boxMeans(plane, [Math.max(0, Math.round(radius))]);
}

/** One box mean or three in succession: all of them along the rows, where a row stays in the cache, then all down. */
export function boxMeans(plane: Plane, radii: Radii): Plane {
  const { width, height } = plane;
  return withArena(() => {
    const rows = { width, height, data: allocate(width * height) };
    const means = { width, height, data: allocate(width * height) };
    boxMeansAcross({ source: plane, radii, target: rows.data });
    boxMeansDown({ source: rows, radii, target: means.data });
    return means;
  });
}
