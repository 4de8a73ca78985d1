import { withArena } from '../runtime/arena.ts';
import { sampleSimilarity } from './kernels/sampling-kernels.ts';
import { allocatePicture, channelsOf, type Picture } from './picture.ts';
import { allocatePlane, cutPart, type Plane, type Size } from './plane.ts';

/** Rotates and scales target pixels into source pixels: `x = a·u − b·v + x0`, `y = b·u + a·v + y0`. */
export interface Similarity {
  a: number;
  b: number;
  x0: number;
  y0: number;
}

/**
 * Reads a plane through a similarity, bilinear; where it shrinks, each target pixel is the mean of a grid of samples.
 * Samples beyond the border repeat it, or are `outside` when given.
 */
export function sampleThrough(plane: Plane, through: Similarity, size: Size, outside?: number): Plane {
  return withArena(() => {
    const target = allocatePlane(size);
    samplePlanes([plane], through, [target], outside);
    return target;
  });
}

export function samplePictureThrough(
  picture: Picture,
  through: Similarity,
  size: Size,
  outside?: number,
): Picture {
  return withArena(() => {
    const target = allocatePicture(size);
    samplePlanes(channelsOf(picture), through, channelsOf(target), outside);
    return target;
  });
}

/** Planes of one size, whose samples lie at the same places. */
function samplePlanes(
  planes: readonly Plane[],
  { a, b, x0, y0 }: Similarity,
  targets: readonly Plane[],
  outside: number | undefined,
): void {
  const [{ width, height }, size] = [planes[0]!, targets[0]!];
  const corners = [-1, size.width].flatMap((u) => [-1, size.height].map((v) => [u, v] as const));
  const columns = readRange(
    corners.map(([u, v]) => a * u - b * v + x0),
    width,
  );
  const rows = readRange(
    corners.map(([u, v]) => b * u + a * v + y0),
    height,
  );
  const part = { x: columns.start, y: rows.start, width: columns.length, height: rows.length };
  sampleSimilarity({
    sources: planes.map((plane) => cutPart(plane, part).data),
    size: part,
    through: { a, b, x0: x0 - part.x, y0: y0 - part.y },
    grid: Math.max(1, Math.min(3, Math.round(0.8 * Math.hypot(a, b)))),
    outside,
    targets: targets.map(({ data }) => data),
    targetSize: size,
  });
}

/** What is read of so many columns or rows, with those beside it; at least two of them, where there are. */
function readRange(ends: readonly number[], length: number): { start: number; length: number } {
  const start = Math.max(0, Math.min(length - 2, Math.floor(Math.min(...ends)) - 1));
  const end = Math.min(length, Math.max(start + 2, Math.ceil(Math.max(...ends)) + 2));
  return { start, length: end - start };
}
