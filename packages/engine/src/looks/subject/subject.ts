import type { Face } from '../../faces/face.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { clamp } from '../../pixels/scalar.ts';
import { correctExposure } from './exposure.ts';
import { maskFaces, maskFeatures, maskPeople } from './face-masks.ts';
import { type ClassMap, openTones } from './people-classes.ts';

/** What a look starts from: the picture, with its exposure corrected, and where its people are. */
export interface Subject extends Size {
  picture: Picture;
  faces: readonly Face[];
  /** A face height in pixels: radii, widths and lengths are shares of it. */
  unit: number;
  /** A mask: 1 in faces. */
  face: Float32Array;
  /** A mask: 1 on eyes, brows and nostrils, less on lips. */
  features: Float32Array;
  /** A mask: 1 on heads and shoulders, falling to 0 far from everybody; 1 everywhere when there is no face. */
  people: Float32Array;
  /** Where hair, skin and clothes are, if it is known. */
  classes: ClassMap | null;
  /** For grain and strokes: the same seed gives the same picture. */
  seed: number;
}

/** An art style: paints the subject anew, at the same size, as display values from 0 to 1. */
export type Look = (subject: Subject) => Picture;

export function prepareSubject(
  picture: Picture,
  faces: readonly Face[],
  seed: number,
  classes: ClassMap | null = null,
): Subject {
  const { width, height } = picture;
  const face = maskFaces(faces, picture).data;
  return {
    picture: correctExposure(picture, faces.length > 0 ? face : undefined),
    width,
    height,
    faces,
    unit: faceUnit(faces, Math.min(width, height)),
    face,
    features: maskFeatures(faces, picture).data,
    people: maskPeople(faces, picture).data,
    classes,
    seed,
  };
}

/** The subject with folds in its dark clothes and form in its blown-out skin, for drawings in a few tones. */
export function openSubject(subject: Subject): Subject {
  const { picture, classes, unit } = subject;
  return classes ? { ...subject, picture: openTones(picture, classes, unit) } : subject;
}

/**
 * The height of the smallest face, so that it keeps its features. Faces of less than half of the largest do not count:
 * somebody far behind would make all strokes thin. The limits keep strokes of a close-up narrower than an eye.
 */
function faceUnit(faces: readonly Face[], shortSide: number): number {
  if (faces.length === 0) return shortSide * 0.2;
  const largest = Math.max(...faces.map((face) => face.height));
  const smallest = Math.min(...faces.map((face) => face.height).filter((height) => height >= largest / 2));
  return clamp(smallest, shortSide * 0.09, shortSide * 0.42);
}
