import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { readReduced } from '../pixels/reduce.ts';
import { keepConnected } from './connected-parts.ts';
import type { Matte } from './matte.ts';
import type { NearestFaces } from './nearest-face.ts';

/** Keeps one guest of a matte, in place: the face with this index of those that the photo was shared among. */
export function keepOneGuest(
  matte: Matte,
  { width, height, factor, nearest }: NearestFaces,
  face: Face,
  index = 0,
): void {
  const own = new Float32Array(width * height);
  for (let i = 0; i < own.length; i++) own[i] = nearest[i] === index ? 1 : 0;
  const step = factor / matte.factor;
  const soft = { ...gaussianBlur({ width, height, data: own }, 0.8), factor: step };
  for (let y = 0, i = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++, i++) {
      if (matte.data[i]! > 0) matte.data[i] = matte.data[i]! * readReduced(soft, x, y);
    }
  }
  keepConnected(matte, [moveFace(face, { scale: 1 / matte.factor, x: 0, y: 0 })]);
}
