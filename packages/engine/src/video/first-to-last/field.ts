import { boxMean } from '../../pixels/box-mean.ts';
import type { Size } from '../../pixels/plane.ts';

/** Where each pixel of one image is found in another, as a displacement. */
export interface Field extends Size {
  x: Float32Array;
  y: Float32Array;
}

/** Rows of two and three: `x' = a·x + b·y + c`, `y' = d·x + e·y + f`. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Affine = [1, 0, 0, 0, 1, 0];

export function inverseOf([a, b, c, d, e, f]: Affine): Affine {
  const det = a * e - b * d;
  return [e / det, -b / det, (b * f - e * c) / det, -d / det, a / det, (d * c - a * f) / det];
}

/** Fields live in shared memory: threads render from them. */
export function sharedPlane(length: number): Float32Array<SharedArrayBuffer> {
  return new Float32Array(new SharedArrayBuffer(length * 4));
}

export function newField({ width, height }: Size): Field {
  return { width, height, x: sharedPlane(width * height), y: sharedPlane(width * height) };
}

export function affineField(size: Size, [a, b, c, d, e, f]: Affine): Field {
  const field = newField(size);
  for (let row = 0, i = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++, i++) {
      field.x[i] = a * column + b * row + c - column;
      field.y[i] = d * column + e * row + f - row;
    }
  }
  return field;
}

/** The value of a plane between its pixels; beyond the borders it repeats. */
export function samplePlane(
  plane: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const u = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x;
  const v = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y;
  const left = u | 0;
  const top = v | 0;
  const fx = u - left;
  const fy = v - top;
  const at = top * width + left;
  const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
  const lower = plane[at + width]! + (plane[at + width + 1]! - plane[at + width]!) * fx;
  return upper + (lower - upper) * fy;
}

/** Near enough to a Gaussian: two box blurs. */
export function smoothPlane(plane: Float32Array, { width, height }: Size, radius: number): Float32Array {
  return boxMean(boxMean({ width, height, data: plane }, radius), radius).data;
}

/**
 * How well two fields undo each other, 1 to 0: what goes there and comes back to another place was never found there.
 * `slack` is the distance, in pixels, at which trust has fallen to 0.6.
 */
export function measureAgreement(there: Field, back: Field, slack: number): Float32Array {
  const { width, height } = there;
  const trust = sharedPlane(width * height);
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++, i++) {
      const x = column + there.x[i]!;
      const y = row + there.y[i]!;
      if (x < 0 || y < 0 || x > width - 1 || y > height - 1) continue;
      const dx = there.x[i]! + samplePlane(back.x, width, height, x, y);
      const dy = there.y[i]! + samplePlane(back.y, width, height, x, y);
      trust[i] = Math.exp(-(dx * dx + dy * dy) / (2 * slack * slack));
    }
  }
  return trust;
}
