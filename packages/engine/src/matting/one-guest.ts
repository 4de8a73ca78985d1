import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { readReduced } from '../pixels/reduce.ts';
import { resample } from '../pixels/resample.ts';
import { keepConnected } from './connected-parts.ts';
import type { Matte } from './matte.ts';
import type { NearestFaces } from './nearest-face.ts';
import type { PersonOutline } from './person-outlines.ts';

/**
 * Keeps one guest of a matte, in place: the first of the faces that the photo was shared among. A pixel in the guest's
 * outline is the guest's and one in a neighbour's is not; what is in nobody's belongs to the nearest face. Outlines are
 * in the order of the faces; without any, all is as the faces share it.
 */
export function keepOneGuest(
  matte: Matte,
  { width, height, factor, nearest }: NearestFaces,
  face: Face,
  outlines: readonly (PersonOutline | null)[] = [],
): void {
  const own = new Float32Array(width * height);
  for (let i = 0; i < own.length; i++) own[i] = nearest[i] === 0 ? 1 : 0;
  shareByOutlines({ width, height, data: own }, outlines);
  const step = factor / matte.factor;
  const soft = { ...gaussianBlur({ width, height, data: own }, 0.8), factor: step };
  for (let y = 0, i = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++, i++) {
      if (matte.data[i]! > 0) matte.data[i] = matte.data[i]! * readReduced(soft, x, y);
    }
  }
  keepConnected(matte, [moveFace(face, { scale: 1 / matte.factor, x: 0, y: 0 })]);
}

/** Gives pixels to whoever's outline they are in more than in any other, in place. */
function shareByOutlines(own: Plane, [guest, ...others]: readonly (PersonOutline | null)[]): void {
  const mine = guest?.trusted ? scaleOutline(guest, own) : null;
  const theirs = others.flatMap((outline) => (outline?.trusted ? [scaleOutline(outline, own)] : []));
  for (let i = 0; i < own.data.length; i++) {
    const inMine = mine?.[i] ?? Number.NEGATIVE_INFINITY;
    let inTheirs = Number.NEGATIVE_INFINITY;
    for (const outline of theirs) inTheirs = Math.max(inTheirs, outline[i]!);
    if (inMine > 0 && inMine > inTheirs) own.data[i] = 1;
    else if (inTheirs > 0 && inTheirs > inMine) own.data[i] = 0;
  }
}

function scaleOutline(outline: Plane, size: Size): Float32Array {
  const whole = { x: 0, y: 0, width: outline.width, height: outline.height };
  return resample(outline, whole, size).data;
}
