import { mix } from '../../pixels/colour.ts';

/** The middle of a triangle, along one axis. */
export function facetMiddle(values: Float32Array, triangles: Int32Array, facet: number): number {
  const at = facet * 3;
  return (values[triangles[at]!]! + values[triangles[at + 1]!]! + values[triangles[at + 2]!]!) / 3;
}

/** Which facet each pixel lies in, with facets drawn at `size` of their own around their middles. */
export function facets(
  triangles: Int32Array,
  x: Float32Array,
  y: Float32Array,
  width: number,
  height: number,
  size: number,
): Int32Array {
  const owner = new Int32Array(width * height).fill(-1);
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    const middleX = facetMiddle(x, triangles, facet);
    const middleY = facetMiddle(y, triangles, facet);
    const xs = [0, 1, 2].map((k) => mix(middleX, x[triangles[facet * 3 + k]!]!, size));
    const ys = [0, 1, 2].map((k) => mix(middleY, y[triangles[facet * 3 + k]!]!, size));
    const top = Math.max(0, Math.ceil(Math.min(...ys)));
    const bottom = Math.min(height - 1, Math.floor(Math.max(...ys)));
    for (let row = top; row <= bottom; row++) {
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < 3; k++) {
        const [fromX, fromY] = [xs[k]!, ys[k]!];
        const [toX, toY] = [xs[(k + 1) % 3]!, ys[(k + 1) % 3]!];
        if (fromY === toY || (fromY > row && toY > row) || (fromY < row && toY < row)) continue;
        const crossing = fromX + ((row - fromY) / (toY - fromY)) * (toX - fromX);
        left = Math.min(left, crossing);
        right = Math.max(right, crossing);
      }
      const from = Math.max(0, Math.ceil(left - 0.5));
      const to = Math.min(width - 1, Math.floor(right + 0.5));
      if (to >= from) owner.fill(facet, row * width + from, row * width + to + 1);
    }
  }
  return owner;
}
