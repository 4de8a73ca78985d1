import { allocate, allocateZeros } from '../runtime/arena.ts';

export interface Size {
  width: number;
  height: number;
}

/** Where a photo lies on the canvas: a photo pixel p is at `x + p.x·scale`, `y + p.y·scale`. */
export interface Placement {
  scale: number;
  x: number;
  y: number;
}

/** Numbers of one size, row by row. */
export interface Plane extends Size {
  data: Float32Array;
}

/** A plane whose every value is yet to be written. */
export function allocatePlane({ width, height }: Size): Plane {
  return { width, height, data: allocate(width * height) };
}

export function allocateZeroPlane({ width, height }: Size): Plane {
  return { width, height, data: allocateZeros(width * height) };
}

export function planeOf(data: Float32Array, { width, height }: Size): Plane {
  return { width, height, data };
}

/** A part of a plane, in whole pixels. Whole rows stay where they are. */
export function cutPart(
  { width: stride, data }: Plane,
  { x, y, width, height }: Size & { x: number; y: number },
): Plane {
  if (width === stride) return { width, height, data: data.subarray(y * stride, (y + height) * stride) };
  const part = allocate(width * height);
  for (let row = 0; row < height; row++) {
    const start = (y + row) * stride + x;
    part.set(data.subarray(start, start + width), row * width);
  }
  return { width, height, data: part };
}

/** A row of an array, from `start` on. */
export interface Row {
  data: Float32Array;
  start: number;
}
