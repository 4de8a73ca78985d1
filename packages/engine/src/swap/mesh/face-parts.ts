import { faceOval } from '../../faces/face-outline.ts';
import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import {
  innerFace,
  leftEye,
  leftLids,
  lips,
  middleFace,
  rightEye,
  rightLids,
  skinSample,
} from './features.ts';
import { fillPolygon } from './polygon.ts';

/** The regions of a face on a plane, each 0 or 1. */
export interface FaceParts {
  /** Inside of the oval. */
  oval: Float32Array;
  /** Eyes with their brows, and the lips, of both faces. */
  features: Float32Array;
  /** Of the guest alone, without a margin. */
  eyes: Float32Array;
  lips: Float32Array;
  /** The openings of the guest's eyes. */
  lids: Float32Array;
  /** Shows the guest whatever the template has there: another's brows beside the guest's are worse than a lost strand. */
  inner: Float32Array;
  /** From the eyes to the mouth. */
  middle: Float32Array;
  skinSample: Float32Array;
}

/** The template's face with the guest's, whose points have been brought to their place in it. */
export function faceParts(
  points: Float32Array,
  guest: Float32Array,
  faceHeight: number,
  width: number,
  height: number,
): FaceParts {
  const fill = (of: Float32Array, ...outlines: (readonly number[])[]) => {
    const plane = new Float32Array(width * height);
    for (const outline of outlines) fillPolygon(of, outline, width, height, plane);
    return plane;
  };
  const features = fill(points, lips, leftEye, rightEye);
  for (const outline of [lips, leftEye, rightEye]) fillPolygon(guest, outline, width, height, features);
  const inner = fill(guest, innerFace, lips, leftEye, rightEye);
  for (const outline of [lips, leftEye, rightEye]) fillPolygon(points, outline, width, height, inner);
  return {
    oval: fill(points, faceOval),
    features: blurAndThreshold(features, width, height, 0.02 * faceHeight, 0.15),
    eyes: fill(guest, leftEye, rightEye),
    lips: fill(guest, lips),
    lids: fill(guest, leftLids, rightLids),
    inner: blurAndThreshold(inner, width, height, 0.02 * faceHeight, 0.2),
    middle: fill(guest, middleFace),
    skinSample: fill(points, skinSample),
  };
}

/** The plane blurred and cut at a level: below a half it grows, above it shrinks. */
export function blurAndThreshold(
  plane: Float32Array,
  width: number,
  height: number,
  sigma: number,
  level: number,
): Float32Array {
  return gaussianBlur({ width, height, data: plane }, Math.max(0.5, sigma)).data.map((value) =>
    value > level ? 1 : 0,
  );
}
