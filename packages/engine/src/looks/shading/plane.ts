import {
  boxBlur,
  enlarge as enlargePlane,
  gaussianBlur,
  reduce,
  type SoftPlane,
  softBlur,
} from '../../pixels/blur.ts';
import type { Picture } from '../../pixels/picture.ts';
import { allocate, allocateZeros } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** One channel, row by row. */
export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

export function newPlane(width: number, height: number): Plane {
  return { width, height, data: allocateZeros(width * height) };
}

/** A plane whose every value is yet to be written. */
export function openPlane(width: number, height: number): Plane {
  return { width, height, data: allocate(width * height) };
}

/** A picture whose every value is yet to be written. */
export function openPicture(width: number, height: number): Picture {
  const size = width * height;
  return { width, height, planes: [allocate(size), allocate(size), allocate(size)] };
}

export function channel(picture: Picture, index: 0 | 1 | 2): Plane {
  return { width: picture.width, height: picture.height, data: picture.planes[index] };
}

/** How light a colour looks, from display values. */
export function grey(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** How light each pixel looks, 0 to 1. */
export function luma({ width, height, planes }: Picture): Plane {
  const plane = openPlane(width, height);
  forRows(lumaRows, height, { width, planes }, { data: plane.data });
  return plane;
}

export function lumaRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) data[i] = grey(red[i]!, green[i]!, blue[i]!);
}

/** Mean over a square of 2·radius + 1 pixels; at the border over what is inside. */
export function boxMean({ width, height, data }: Plane, radius: number): Plane {
  return { width, height, data: boxBlur(data, width, height, radius) };
}

export function gaussian({ width, height, data }: Plane, sigma: number): Plane {
  return { width, height, data: gaussianBlur(data, width, height, sigma) };
}

/** The same by box means, to be read row by row. */
export function softGaussian({ width, height, data }: Plane, sigma: number): SoftPlane {
  return softBlur(data, width, height, sigma);
}

/** The plane at 1/factor of its size. */
export function shrink(source: Plane, factor: number): Plane {
  const { width, height, plane } = reduce(source.data, source.width, source.height, factor);
  return { width, height, data: plane };
}

/** The way back from `shrink`, bilinear. */
export function enlarge(source: Plane, width: number, height: number, factor: number): Plane {
  return {
    width,
    height,
    data: enlargePlane(source.data, source.width, source.height, width, height, factor),
  };
}

export function enlargePicture(picture: Picture, width: number, height: number, factor: number): Picture {
  const [red, green, blue] = ([0, 1, 2] as const).map(
    (index) => enlarge(channel(picture, index), width, height, factor).data,
  );
  return { width, height, planes: [red!, green!, blue!] };
}
