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

/** A row of an array, from `start` on. */
export interface Row {
  data: Float32Array;
  start: number;
}
