import type { Size } from '../../pixels/plane.ts';
import { mix } from '../../pixels/scalar.ts';
import type { LabelMap } from './label-map.ts';

/** Triangles between points: three corners each; a corner's x and y stand at twice its number and one after it. */
export interface Triangulation {
  triangles: ArrayLike<number>;
  coords: ArrayLike<number>;
}

interface Point {
  x: number;
  y: number;
}

/** Which triangle each pixel lies in, with the triangles scaled around their centers. */
export function labelFacets(triangulation: Triangulation, { width, height }: Size, scale: number): LabelMap {
  const labels = new Int32Array(width * height).fill(-1);
  for (let facet = 0; facet < triangulation.triangles.length / 3; facet++) {
    const center = facetCenter(triangulation, facet);
    const corners = facetCorners(triangulation, facet).map(({ x, y }) => ({
      x: mix(center.x, x, scale),
      y: mix(center.y, y, scale),
    }));
    const top = Math.max(0, Math.ceil(Math.min(...corners.map(({ y }) => y))));
    const bottom = Math.min(height - 1, Math.floor(Math.max(...corners.map(({ y }) => y))));
    for (let row = top; row <= bottom; row++) {
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < 3; k++) {
        const from = corners[k]!;
        const to = corners[(k + 1) % 3]!;
        if (from.y === to.y || (from.y > row && to.y > row) || (from.y < row && to.y < row)) continue;
        const crossing = from.x + ((row - from.y) / (to.y - from.y)) * (to.x - from.x);
        left = Math.min(left, crossing);
        right = Math.max(right, crossing);
      }
      const first = Math.max(0, Math.ceil(left - 0.5));
      const last = Math.min(width - 1, Math.floor(right + 0.5));
      if (last >= first) labels.fill(facet, row * width + first, row * width + last + 1);
    }
  }
  return { width, height, labels };
}

export function facetCenter(triangulation: Triangulation, facet: number): Point {
  const [a, b, c] = facetCorners(triangulation, facet);
  return { x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3 };
}

function facetCorners({ triangles, coords }: Triangulation, facet: number): [Point, Point, Point] {
  const corner = (k: number): Point => {
    const at = 2 * triangles[facet * 3 + k]!;
    return { x: coords[at]!, y: coords[at + 1]! };
  };
  return [corner(0), corner(1), corner(2)];
}
