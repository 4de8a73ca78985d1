import type { Size } from './plane.ts';

/** Red, green and blue of one size: display-referred sRGB or linear light, as the name beside them says. */
export type Planes = [Float32Array, Float32Array, Float32Array];

/** A picture while it is worked on: three planes, row by row, display-referred sRGB from 0 to 1. */
export interface Picture extends Size {
  planes: Planes;
}
