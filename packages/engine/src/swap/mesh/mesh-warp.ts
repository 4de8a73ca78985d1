import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { resamplePicture } from '../../pixels/resample.ts';
import { clamp } from '../../pixels/scalar.ts';
import { meshTriangles } from './mesh-triangles.ts';

/** For every pixel of a patch, where in the source it comes from. */
export interface WarpMap {
  x: Float32Array;
  y: Float32Array;
  /** 1 where the mesh covers the patch. */
  covered: Float32Array;
}

/**
 * Lays the mesh with its points at `shape` over a patch and remembers where each pixel lies in the mesh at `source`.
 * Of triangles that overlap, the nearest wins (smaller z), so that the nose of a head seen from the side hides the cheek behind it.
 */
export function mapMesh(source: Float32Array, shape: Float32Array, width: number, height: number): WarpMap {
  const x = new Float32Array(width * height);
  const y = new Float32Array(width * height);
  const covered = new Float32Array(width * height);
  const depth = new Float32Array(width * height).fill(Infinity);
  for (let t = 0; t < meshTriangles.length; t += 3) {
    const a = meshTriangles[t]! * 3;
    const b = meshTriangles[t + 1]! * 3;
    const c = meshTriangles[t + 2]! * 3;
    const ax = shape[a]!;
    const ay = shape[a + 1]!;
    const bx = shape[b]!;
    const by = shape[b + 1]!;
    const cx = shape[c]!;
    const cy = shape[c + 1]!;
    const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
    if (Math.abs(area) < 1e-6) continue;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.01));
    const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) + 0.01));
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.01));
    const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) + 0.01));
    for (let py = top; py <= bottom; py++) {
      for (let px = left; px <= right; px++) {
        const u = ((by - cy) * (px - cx) + (cx - bx) * (py - cy)) / area;
        const v = ((cy - ay) * (px - cx) + (ax - cx) * (py - cy)) / area;
        const w = 1 - u - v;
        if (u < -1e-3 || v < -1e-3 || w < -1e-3) continue;
        const z = u * shape[a + 2]! + v * shape[b + 2]! + w * shape[c + 2]!;
        const at = py * width + px;
        if (z >= depth[at]!) continue;
        depth[at] = z;
        covered[at] = 1;
        x[at] = u * source[a]! + v * source[b]! + w * source[c]!;
        y[at] = u * source[a + 1]! + v * source[b + 1]! + w * source[c + 1]!;
      }
    }
  }
  return { x, y, covered };
}

/**
 * The source through a map, Catmull-Rom. A source that is shown smaller is reduced first, so that nothing aliases;
 * `scale` is patch pixels per source pixel.
 */
export function warpPicture(
  source: Picture,
  map: WarpMap,
  width: number,
  height: number,
  scale: number,
): Picture {
  const shrunk = scale < 0.9 ? shrink(source, map, scale) : { picture: source, x0: 0, y0: 0, scale: 1 };
  const { picture } = shrunk;
  const target: Picture = {
    width,
    height,
    planes: mapPlanes(source.planes, () => new Float32Array(width * height)),
  };
  const weightsX = new Float32Array(4);
  const weightsY = new Float32Array(4);
  const columns = new Int32Array(4);
  for (let i = 0; i < width * height; i++) {
    if (map.covered[i] === 0) continue;
    const x = (map.x[i]! + 0.5 - shrunk.x0) * shrunk.scale - 0.5;
    const y = (map.y[i]! + 0.5 - shrunk.y0) * shrunk.scale - 0.5;
    const left = Math.floor(x);
    const top = Math.floor(y);
    catmullRomWeights(x - left, weightsX);
    catmullRomWeights(y - top, weightsY);
    for (let k = 0; k < 4; k++) columns[k] = clamp(left - 1 + k, 0, picture.width - 1);
    for (let p = 0; p < 3; p++) {
      const plane = picture.planes[p]!;
      let sum = 0;
      for (let j = 0; j < 4; j++) {
        const row = clamp(top - 1 + j, 0, picture.height - 1) * picture.width;
        sum +=
          weightsY[j]! *
          (plane[row + columns[0]!]! * weightsX[0]! +
            plane[row + columns[1]!]! * weightsX[1]! +
            plane[row + columns[2]!]! * weightsX[2]! +
            plane[row + columns[3]!]! * weightsX[3]!);
      }
      target.planes[p]![i] = clamp(sum, 0, 1);
    }
  }
  return target;
}

interface Shrunk {
  picture: Picture;
  x0: number;
  y0: number;
  scale: number;
}

/** The part of the source that the map reads, at the patch's scale. */
function shrink(source: Picture, map: WarpMap, scale: number): Shrunk {
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < map.x.length; i++) {
    if (map.covered[i] === 0) continue;
    left = Math.min(left, map.x[i]!);
    right = Math.max(right, map.x[i]!);
    top = Math.min(top, map.y[i]!);
    bottom = Math.max(bottom, map.y[i]!);
  }
  const margin = 3 / scale;
  const x = Math.floor(left - margin);
  const y = Math.floor(top - margin);
  const width = Math.max(1, Math.ceil((right + margin - x) * scale));
  const height = Math.max(1, Math.ceil((bottom + margin - y) * scale));
  const window = { x, y, width: width / scale, height: height / scale };
  return { picture: resamplePicture(source, window, { width, height }), x0: x, y0: y, scale };
}

function catmullRomWeights(t: number, weights: Float32Array): void {
  weights[0] = t * (-0.5 + t * (1 - 0.5 * t));
  weights[1] = 1 + t * t * (-2.5 + 1.5 * t);
  weights[2] = t * (0.5 + t * (2 - 1.5 * t));
  weights[3] = t * t * (-0.5 + 0.5 * t);
}
