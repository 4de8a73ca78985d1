import type { Face } from '../faces/face.ts';
import { faceOval } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { toLab } from '../pixels/lab.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { withArena } from '../runtime/arena.ts';
import { fillPolygon } from '../swap/mesh/polygon.ts';

/** A face of a template that a guest's has been put over. */
export interface SwappedFace {
  /** The template as it was, and with the guest's face in it. */
  template: Picture;
  result: Picture;
  /** The template's own face, and the one that is found in its place afterwards. */
  face: Face;
  found: Face | null;
}

/** The side of the square, 1.4 face heights wide, that both are compared in. */
const side = 192;
const across = 1.4;
/** A face height, in its pixels. */
export const comparedUnit = side / across;

/** Points of eyes, brows, nose and mouth: what differs there is the guest's own. */
const features = [
  33, 133, 159, 145, 362, 263, 386, 374, 61, 291, 0, 17, 13, 14, 37, 267, 84, 314, 70, 63, 105, 66, 107, 300,
  293, 334, 296, 336, 1, 2, 98, 327, 4, 5, 195, 97, 326, 94, 19, 6, 197,
] as const;
/** How far around them, in face heights. */
const besideFeatures = 0.09;

/** How much lighter each pixel around a face became, in L*, and where its skin and its outline are. */
export interface FaceChange {
  lighter: Plane;
  /** 1 inside of the face's outline. */
  inside: Plane;
  /** 1 on skin away from features. */
  skin: Float32Array;
}

export function compareFaces({ template, result, face }: SwappedFace): FaceChange {
  return withArena(() => {
    const window = windowAround(face);
    const size = { width: side, height: side };
    const lightnessOf = (picture: Picture) => toLab(resamplePicture(picture, window, size)).lightness;
    const before = lightnessOf(template);
    const lighter = lightnessOf(result).map((value, i) => value - before[i]!);
    const points = face.points.map((value, i) => {
      if (i % 3 === 2) return value;
      return ((value - (i % 3 === 0 ? window.x : window.y)) / window.width) * side;
    });
    const inside = Float32Array.from(fillPolygon(points, faceOval, side, side));
    const skin = inside.map((value) => (value > 0.5 ? 1 : 0));
    for (const i of features) clearAround(skin, points[3 * i]!, points[3 * i + 1]!);
    return { lighter: planeOf(Float32Array.from(lighter), size), inside: planeOf(inside, size), skin };
  });
}

/** A plane blurred by so many face heights. */
export function blurFace(plane: Plane, faceHeights: number): Float32Array {
  return Float32Array.from(gaussianBlur(plane, faceHeights * comparedUnit).data);
}

/** Where the compared square lies in the template. */
export function windowAround({ center, height }: Face): Window {
  const width = across * height;
  return { x: center.x - width / 2, y: center.y - width / 2, width, height: width };
}

function clearAround(plane: Float32Array, x: number, y: number): void {
  const radius = besideFeatures * comparedUnit;
  for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(side, y + radius); row++) {
    for (let column = Math.max(0, Math.floor(x - radius)); column < Math.min(side, x + radius); column++) {
      if (Math.hypot(column - x, row - y) < radius) plane[row * side + column] = 0;
    }
  }
}

/** The value below which this share of some values lies. */
export function valueAt(values: Float32Array, share: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
