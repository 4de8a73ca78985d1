import { faceFeatures } from '../models/models.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Face } from './face.ts';
import { cropForModel, squareAround } from './face-mesh.ts';
import { runFaceModel } from './face-models.ts';

/** What is characteristic of a face. */
export type FaceFeatures = Float32Array;

/**
 * Features less alike than this (cosine) are of two people. Of 28 pairs of photos of one woman, with grimaces and nearly
 * in profile, none is below 0.54; of pairs of different people the median is 0.43, and a few are as high as 0.65. So it
 * tells most mistakes, and takes nobody for somebody else.
 */
const leastAlike = 0.5;

export async function readFeatures(picture: Picture, face: Face): Promise<FaceFeatures> {
  const crop = cropForModel(picture, squareAround(face.points), faceFeatures);
  const [features] = await runFaceModel(faceFeatures, crop);
  return features!.data.slice();
}

/** Whether two faces may be of one person. */
export const mayBeSamePerson = (a: FaceFeatures, b: FaceFeatures) => compareFeatures(a, b) >= leastAlike;

/** How alike two faces are: the cosine of their features, 1 for the same picture of a face. */
export function compareFeatures(a: FaceFeatures, b: FaceFeatures): number {
  let [product, one, other] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    one += a[i]! ** 2;
    other += b[i]! ** 2;
  }
  return product / Math.sqrt(one * other);
}
