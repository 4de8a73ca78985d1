import type { Face } from '../../faces/face.ts';
import {
  type BodyClass,
  type ClassShares,
  classInputs,
  classSide,
  runClassPass,
} from '../../matting/class-pass.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Plane } from '../../pixels/plane.ts';
import { readReduced } from '../../pixels/reduce.ts';
import { resample, type Window } from '../../pixels/resample.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import type { Patch } from './patch.ts';

/** What the pixels around a face are, for each class its share, on a square window of the picture. */
export interface FaceClasses {
  window: Window;
  shares: ClassShares;
}

/**
 * The window's side in heights of the face: the face has 150 pixels in the network's square then, which shows single
 * strands of hair and the rims of glasses.
 */
const windowSide = 1.7;

export async function classifyFace(picture: Picture, face: Face): Promise<FaceClasses> {
  const side = windowSide * face.height;
  const { x, y } = face.center;
  const window = { x: x - 0.5 * side, y: y - 0.55 * side, width: side, height: side };
  const [input] = classInputs(picture, [window]);
  return { window, shares: await runClassPass(input!, false) };
}

/** What covers a face on a patch, at 1/factor of its size, 0 to 1: hair, and things such as glasses. */
export interface Coverings {
  things: Float32Array;
  hair: Float32Array;
}

export async function findCoverings(
  picture: Picture,
  face: Face,
  { left, top, picture: { width, height } }: Patch,
  factor: number,
): Promise<Coverings> {
  const { window, shares } = await classifyFace(picture, face);
  const scale = classSide / window.width;
  const size = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  const part = {
    x: (left - window.x) * scale,
    y: (top - window.y) * scale,
    width: size.width * factor * scale,
    height: size.height * factor * scale,
  };
  const onPatch = (share: Float32Array) =>
    resample(squareOf(share), part, size).data.map((value) => smoothstep(0.2, 0.5, value));
  return { things: onPatch(shares.things), hair: onPatch(shares.hair) };
}

/** A class at places of the picture, as a warp reads them. */
export function sampleClass(
  { window, shares }: FaceClasses,
  name: BodyClass,
  places: { x: Float32Array; y: Float32Array },
): Float32Array {
  const plane = { ...squareOf(shares[name]), factor: window.width / classSide };
  return places.x.map((x, i) => readReduced(plane, x - window.x, places.y[i]! - window.y));
}

const squareOf = (data: Float32Array): Plane => ({ width: classSide, height: classSide, data });
