import type { Face } from '../../faces/face.ts';
import type { Picture, Planes } from '../../pixels/picture.ts';
import { reducePicture } from '../../pixels/reduce.ts';
import { type Similarity, samplePictureThrough } from '../../pixels/sample-through.ts';

/** Where a network wants the eyes, the nose and the corners of the mouth, as shares of its square input. */
export type CropTemplate = readonly (readonly [number, number])[];

export const arcface112v2: CropTemplate = [
  [0.34191607, 0.46157411],
  [0.65653393, 0.45983393],
  [0.500225, 0.64050536],
  [0.37097589, 0.82469196],
  [0.63151696, 0.82325089],
];

export const arcface128: CropTemplate = [
  [0.36167656, 0.40387734],
  [0.63696719, 0.40235469],
  [0.50019687, 0.56044219],
  [0.38710391, 0.72160547],
  [0.61507734, 0.72034453],
];

/** The mesh's points that stand for each of the five; for the nose point 4, its tip: 1 lies too high. */
const meshPointsOf = [
  [33, 160, 158, 133, 153, 144],
  [362, 385, 387, 263, 373, 380],
  [4],
  [61],
  [291],
] as const;

/** Eyes, nose and corners of the mouth, within 2 to 3 pixels in 128 of what a five-point detector gives. */
export function fivePoints(face: Face): { x: number; y: number }[] {
  return meshPointsOf.map((indices) => {
    const mean = (axis: number) =>
      indices.reduce<number>((sum, i) => sum + face.points[i * 3 + axis]!, 0) / indices.length;
    return { x: mean(0), y: mean(1) };
  });
}

/** From the crop's pixels to the picture's: the similarity that fits the five points best (least squares). */
export function cropSimilarity(face: Face, template: CropTemplate, side: number): Similarity {
  const points = fivePoints(face);
  const places = template.map(([u, v]) => ({ x: u * side, y: v * side }));
  const mean = (values: { x: number; y: number }[]) => ({
    x: values.reduce((sum, { x }) => sum + x, 0) / values.length,
    y: values.reduce((sum, { y }) => sum + y, 0) / values.length,
  });
  const to = mean(points);
  const from = mean(places);
  let a = 0;
  let b = 0;
  let spread = 0;
  places.forEach((place, i) => {
    const u = place.x - from.x;
    const v = place.y - from.y;
    const x = points[i]!.x - to.x;
    const y = points[i]!.y - to.y;
    a += u * x + v * y;
    b += u * y - v * x;
    spread += u * u + v * v;
  });
  a /= spread;
  b /= spread;
  return { a, b, x0: to.x - a * from.x + b * from.y, y0: to.y - b * from.x - a * from.y };
}

/** The square that a similarity shows, with the border repeated beyond the picture. */
export function cropThrough(picture: Picture, through: Similarity, side: number): Planes {
  // Sampling averages up to 4×4; a face that is shrunk further is halved first until that is enough.
  let factor = 1;
  while (Math.hypot(through.a, through.b) / factor > 4) factor *= 2;
  const small = reducePicture(picture, factor);
  const reduced = {
    a: through.a / factor,
    b: through.b / factor,
    x0: (through.x0 + 0.5) / factor - 0.5,
    y0: (through.y0 + 0.5) / factor - 0.5,
  };
  return samplePictureThrough(small, reduced, { width: side, height: side }).planes;
}
