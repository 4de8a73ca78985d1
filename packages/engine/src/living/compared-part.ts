import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';

/** How far people reach from the middle of their faces, in face heights. */
const reach = { side: 2.2, up: 1.3, down: 3.6 };

/** The width at which shots are compared, and what the network's sides are multiples of. */
const comparedWidth = 320;
const multiple = 32;

/** The part of a photo that its people fill. */
export function windowOfPeople(photo: Size, faces: readonly Face[]): Window {
  const border = (side: (face: Face) => number, choose: (...values: number[]) => number, most: number) =>
    clamp(choose(...faces.map(side)), 0, most);
  const x = border(({ center, height }) => center.x - reach.side * height, Math.min, photo.width);
  const y = border(({ center, height }) => center.y - reach.up * height, Math.min, photo.height);
  const right = border(({ center, height }) => center.x + reach.side * height, Math.max, photo.width);
  const bottom = border(({ center, height }) => center.y + reach.down * height, Math.max, photo.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** The size at which a part of a photo is compared with that of another. */
export function comparedSize({ width, height }: Size): Size {
  const rows = Math.round((comparedWidth * height) / width / multiple);
  return { width: comparedWidth, height: multiple * Math.max(1, rows) };
}

/** A part of a photo as the network takes it: RGB from 0 to 1, plane after plane. */
export function comparedPart(photo: Picture, window: Window, size: Size): Float32Array {
  const { planes } = resamplePicture(photo, window, size);
  const all = new Float32Array(3 * planes[0].length);
  for (const [c, plane] of planes.entries()) all.set(plane, c * plane.length);
  return all;
}
