import { medianHeight } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { allocateZeroPlane, type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { reduce } from '../pixels/reduce.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocate, allocateZeros } from '../runtime/arena.ts';

/** Normals of people's surface: components to the right, down and towards the camera. */
export interface Surface extends Size {
  nx: Float32Array;
  ny: Float32Array;
  nz: Float32Array;
}

/** How far normals are smoothed, in face heights: with less, the light of both sides meets in a line along an arm. */
const softness = 0.16;

/**
 * Estimates the surface of people from their silhouette, at 1/`factor` of its size: the matte inflated at three scales,
 * with an ellipsoid added for every face.
 */
export function estimateSurface(cutout: Cutout, factor: number): Surface {
  const matte = reduce(planeOf(cutout.alpha, cutout), factor);
  const unit = medianHeight(cutout.faces) / factor;
  const relief = allocateZeroPlane(matte);
  inflate(relief, matte, unit);
  for (const face of cutout.faces) {
    addEllipsoid(relief, {
      x: (face.center.x - cutout.x) / factor,
      y: (face.center.y - cutout.y) / factor,
      radiusX: (0.62 * face.width) / factor,
      radiusY: (0.62 * face.height) / factor,
    });
  }
  return normalsOf(gaussianBlur(relief, Math.max(2, 0.12 * unit)), Math.max(3, softness * unit));
}

function inflate(relief: Plane, matte: Plane, unit: number): void {
  const { data } = relief;
  for (const scale of [0.18, 0.4, 0.9]) {
    const blurred = gaussianBlur(matte, Math.max(2, scale * unit)).data;
    for (let i = 0; i < data.length; i++) {
      data[i] = data[i]! + Math.sqrt(clamp(blurred[i]! * matte.data[i]!, 0, 1)) * scale * unit * 1.4;
    }
  }
}

interface Ellipse {
  x: number;
  y: number;
  radiusX: number;
  radiusY: number;
}

function addEllipsoid(
  { width, height, data }: Plane,
  { x: cx, y: cy, radiusX: rx, radiusY: ry }: Ellipse,
): void {
  for (let y = Math.max(0, Math.ceil(cy - ry)); y < Math.min(height, cy + ry); y++) {
    for (let x = Math.max(0, Math.ceil(cx - rx)); x < Math.min(width, cx + rx); x++) {
      const inside = 1 - ((x - cx) / rx) ** 2 - ((y - cy) / ry) ** 2;
      if (inside <= 0) continue;
      const i = y * width + x;
      data[i] = data[i]! + Math.sqrt(inside) * rx * 0.7 * smoothstep(0, 0.5, inside);
    }
  }
}

function normalsOf({ width, height, data: relief }: Plane, radius: number): Surface {
  const nx = allocateZeros(width * height);
  const ny = allocateZeros(width * height);
  const nz = allocate(width * height).fill(1);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const gx = (relief[i + 1]! - relief[i - 1]!) / 2;
      const gy = (relief[i + width]! - relief[i - width]!) / 2;
      const length = Math.sqrt(gx * gx + gy * gy + 1);
      nx[i] = -gx / length;
      ny[i] = -gy / length;
      nz[i] = 1 / length;
    }
  }
  const smooth = (values: Float32Array) => gaussianBlur({ width, height, data: values }, radius).data;
  return { width, height, nx: smooth(nx), ny: smooth(ny), nz: smooth(nz) };
}
