import { gaussianBlur } from '../blur.ts';
import { faceOval } from '../face-outline.ts';
import { innerFace, leftCheekbone, leftEye, lips, rightCheekbone, rightEye, skinSample } from './features.ts';
import { fillPolygon } from './polygon.ts';

/** The regions of a face on a plane, each 0 or 1. */
export interface FaceParts {
  /** Inside of the oval. */
  oval: Float32Array;
  /** Eyes with their brows, and the lips. */
  features: Float32Array;
  /** From the brows to the lower lip. */
  inner: Float32Array;
  skinSample: Float32Array;
  cheekbones: Float32Array;
}

/** `points` are the plane's; `others`, where given, widen the features to where another face has them. */
export function faceParts(
  points: Float32Array,
  others: Float32Array,
  faceHeight: number,
  width: number,
  height: number,
): FaceParts {
  const fill = (...outlines: (readonly number[])[]) => {
    const plane = new Float32Array(width * height);
    for (const outline of outlines) fillPolygon(points, outline, width, height, plane);
    return plane;
  };
  const features = fill(lips, leftEye, rightEye);
  for (const outline of [lips, leftEye, rightEye]) fillPolygon(others, outline, width, height, features);
  return {
    oval: fill(faceOval),
    features: grown(features, width, height, 0.02 * faceHeight, 0.15),
    inner: grown(fill(innerFace), width, height, 0.02 * faceHeight, 0.3),
    skinSample: fill(skinSample),
    cheekbones: fill(leftCheekbone, rightCheekbone),
  };
}

/** The plane blurred and cut at a level: below a half it grows, above it shrinks. */
export function grown(plane: Float32Array, width: number, height: number, sigma: number, level: number): Float32Array {
  return gaussianBlur(plane, width, height, Math.max(0.5, sigma)).map((value) => (value > level ? 1 : 0));
}
