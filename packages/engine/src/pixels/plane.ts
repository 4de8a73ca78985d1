import { allocate, allocateZeros } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { clamp } from './scalar.ts';

const forRows = rowsOf(import.meta.url);

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

type Change = (value: number, index: number) => number;

/**
 * What a function makes of each number. `Float32Array.from` with a function puts all numbers into a list first: of a
 * picture of two megapixels it takes 1.2 s, where this takes 0.04.
 */
export function mapToFloats(values: ArrayLike<number>, change: Change): Float32Array<ArrayBuffer> {
  const result = new Float32Array(values.length);
  for (let i = 0; i < result.length; i++) result[i] = change(values[i]!, i);
  return result;
}

export function mapToBytes(values: ArrayLike<number>, change: Change): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(values.length);
  for (let i = 0; i < result.length; i++) result[i] = change(values[i]!, i);
  return result;
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

/** Brings the values of planes of one size to 0..1, in place. */
export function clampPlanes(planes: readonly Float32Array[], { width, height }: Size): void {
  forRows(clampRows, height, { width }, { planes });
}

export function clampRows(
  { width }: { width: number },
  { planes }: { planes: readonly Float32Array[] },
  from: number,
  to: number,
): void {
  for (const plane of planes) {
    for (let i = from * width; i < to * width; i++) plane[i] = clamp(plane[i]!, 0, 1);
  }
}

/** A row of an array, from `start` on. */
export interface Row {
  data: Float32Array;
  start: number;
}
