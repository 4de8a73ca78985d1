import type { Face, Picture } from '../picture.ts';
import { maskFaces, maskFeatures, maskPeople } from './face-mask.ts';
import { luma, newPicture } from './plane.ts';
import { clamp, percentile } from './tone.ts';

/** What every look is given: the picture, well exposed, and where its people are. */
export interface Subject {
  picture: Picture;
  width: number;
  height: number;
  faces: readonly Face[];
  /** The face height, in pixels, that radii and widths follow. */
  unit: number;
  /** 1 in faces; on eyes, brows and lips; around people. */
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
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

/**
 * Spreads the tones and moves faces half of the way to a middle skin tone: looks are tuned for one exposure, and event
 * photos come flashed or dim. Half of the way, because skin differs and has to go on differing.
 */
function expose(picture: Picture, face?: Float32Array): Picture {
  const light = luma(picture);
  const black = Math.min(0.12, percentile(light, 0.01));
  const white = Math.max(0.8, percentile(light, 0.992));
  const middle = clamp((percentile(light, 0.5, face) - black) / (white - black), 0.05, 0.95);
  const wanted = (middle + (face ? 0.58 : 0.45)) / 2;
  const gamma = clamp(Math.log(wanted) / Math.log(middle), 0.55, 1.3);
  const steps = 2048;
  const curve = new Float32Array(steps + 1);
  for (let i = 0; i <= steps; i++) curve[i] = clamp((i / steps - black) / (white - black), 0, 1) ** gamma;
  const result = newPicture(picture.width, picture.height);
  for (const index of [0, 1, 2] as const) {
    const from = picture.planes[index];
    const to = result.planes[index];
    for (let i = 0; i < to.length; i++) to[i] = curve[(clamp(from[i]!, 0, 1) * steps + 0.5) | 0]!;
  }
  return result;
}
