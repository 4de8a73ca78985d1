import type { Face } from '../../faces/face.ts';
import { clamp } from '../../pixels/colour.ts';
import type { Picture } from '../../pixels/picture.ts';
import { expose } from './exposure.ts';
import { maskFaces, maskFeatures, maskPeople } from './face-masks.ts';

/** What every look is given: the picture, well exposed, and where its people are. */
export interface Subject {
  picture: Picture;
  width: number;
  height: number;
  faces: readonly Face[];
  /** The face height, in pixels, that radii and widths follow. */
  unit: number;
  /** 1 in faces. */
  face: Float32Array;
  /** 1 on eyes, brows and nostrils, less on lips. */
  features: Float32Array;
  /** 1 on heads and shoulders, falling to 0 far from everybody; 1 everywhere when there is no face. */
  people: Float32Array;
  /** For grain and strokes: the same seed draws the same. */
  seed: number;
}

export type Look = (subject: Subject) => Picture;

export function studySubject(picture: Picture, faces: readonly Face[], seed: number): Subject {
  const { width, height } = picture;
  const face = maskFaces(faces, width, height).data;
  return {
    picture: expose(picture, faces.length > 0 ? face : undefined),
    width,
    height,
    faces,
    unit: faceUnit(faces, Math.min(width, height)),
    face,
    features: maskFeatures(faces, width, height).data,
    people: maskPeople(faces, width, height).data,
    seed,
  };
}

/**
 * The smallest face that still counts, so that it keeps its features. Somebody far behind (less than half the
 * largest) does not make everybody's strokes thin, and a close-up does not get strokes as wide as an eye.
 */
function faceUnit(faces: readonly Face[], shortSide: number): number {
  if (faces.length === 0) return shortSide * 0.2;
  const largest = Math.max(...faces.map((face) => face.height));
  const smallest = Math.min(...faces.map((face) => face.height).filter((height) => height >= largest / 2));
  return clamp(smallest, shortSide * 0.09, shortSide * 0.42);
}
