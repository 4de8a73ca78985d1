import { faceMesh, iris, type PictureModel } from '../models/models.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Similarity, samplePictureThrough } from '../pixels/sample-through.ts';
import { modelInput, runFaceModel } from './face-models.ts';

/** A square of the picture, rotated with the face. */
export interface FaceSquare {
  x: number;
  y: number;
  side: number;
  roll: number;
}

export interface FacePoints {
  /** 478 points, x y z each: 468 of the face, then centre and four edge points of the iris between points 33 and 133,
   * then of the one between 362 and 263. z is in pixels too, smaller is nearer. */
  points: Float32Array;
  /** How sure the model is that this is a face. */
  score: number;
}

const meshPoints = 468;
const irisPoints = 5;
const pointCount = meshPoints + 2 * irisPoints;

/** Faces that the model recognises well have a score of 0.99 and more. */
const sureScore = 0.9;

/** Below this the model sees no face: what it makes out is of no use for another try. */
const leastHope = 0.05;

/**
 * The points of the face in the square. The model runs twice, the second time on the square around its first result, as
 * it was trained; the detector's box alone leaves the jaw up to 4% of the face's height off. The detector gives faces in
 * profile a wrong roll, as one eye is hidden: for them the model runs again from a narrower upright square, and then
 * from the square around each result (in one picture the scores were 0.05 and 0.01 with that roll, 0.98 upright). Where
 * nobody is seen upright either, there is no face: three runs instead of six for every patch that is taken for one.
 */
export async function meshFace(picture: Picture, square: FaceSquare, irises = true): Promise<FacePoints> {
  const first = await runMesh(picture, square);
  let best = first.score < leastHope ? first : await runMesh(picture, squareAround(first.points));
  let next: FaceSquare = { ...square, side: 0.87 * square.side, roll: 0 };
  for (let attempt = 0; attempt < 4 && best.score < sureScore; attempt++) {
    const mesh = await runMesh(picture, next);
    if (mesh.score > best.score) best = mesh;
    if (attempt > 0 && best.score < leastHope) break;
    next = squareAround(mesh.points);
  }
  if (irises) await addIrises(picture, best.points);
  return best;
}

/** The square that the models take, around known points: rotated with the face and 1.5 times as large. */
export function squareAround(points: Float32Array): FaceSquare {
  const roll = rollOf(points);
  const cos = Math.cos(roll);
  const sin = Math.sin(roll);
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < meshPoints; i++) {
    const x = points[i * 3]! * cos + points[i * 3 + 1]! * sin;
    const y = points[i * 3 + 1]! * cos - points[i * 3]! * sin;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const u = (left + right) / 2;
  const v = (top + bottom) / 2;
  return {
    x: u * cos - v * sin,
    y: u * sin + v * cos,
    side: 1.5 * Math.max(right - left, bottom - top),
    roll,
  };
}

/** Angle of the line through the outer corners of the eyes. */
export function rollOf(points: Float32Array): number {
  return Math.atan2(points[263 * 3 + 1]! - points[33 * 3 + 1]!, points[263 * 3]! - points[33 * 3]!);
}

async function runMesh(picture: Picture, square: FaceSquare): Promise<FacePoints> {
  const outputs = await runFaceModel(faceMesh, cropForModel(picture, square, faceMesh));
  const [side] = faceMesh.input.size!;
  const raw = outputs.find((output) => output.shape[1] === meshPoints * 3)!.data;
  const confidence = outputs.find((output) => output.shape[1] === 1)!.data[0]!;
  const toPicture = similarityOf(square, side);
  const scale = square.side / side;
  const points = new Float32Array(pointCount * 3);
  for (let i = 0; i < meshPoints; i++) {
    const at = { u: raw[i * 3]!, v: raw[i * 3 + 1]!, z: raw[i * 3 + 2]! * scale };
    writePoint(points, i, at, toPicture);
  }
  return { points, score: confidence };
}

/** For each iris: the corners of its eye, its first point, and whether its crop is mirrored for the model. */
const eyes = [
  { outer: 33, inner: 133, first: meshPoints, mirrored: false },
  { outer: 263, inner: 362, first: meshPoints + irisPoints, mirrored: true },
] as const;

/** The iris model knows one eye, so the other's crop is mirrored. One run for both takes a third less than two. */
async function addIrises(picture: Picture, points: Float32Array): Promise<void> {
  const [side] = iris.input.size!;
  const roll = rollOf(points);
  const squares = eyes.map(({ outer, inner }) => {
    const ax = points[outer * 3]!;
    const ay = points[outer * 3 + 1]!;
    const bx = points[inner * 3]!;
    const by = points[inner * 3 + 1]!;
    return {
      x: (ax + bx) / 2,
      y: (ay + by) / 2,
      side: 2.3 * Math.hypot(bx - ax, by - ay),
      roll,
    };
  });
  const values = new Float32Array(eyes.length * side * side * 3);
  for (const [i, { mirrored }] of eyes.entries()) {
    const crop = cropForModel(picture, squares[i]!, iris);
    values.set(mirrored ? mirrorRows(crop, side) : crop, i * crop.length);
  }
  const [output] = await runFaceModel(iris, values, eyes.length);
  const perEye = output!.data.length / eyes.length;
  const eyeContour = 71;
  for (const [i, { outer, inner, first, mirrored }] of eyes.entries()) {
    const toPicture = similarityOf(squares[i]!, side);
    const z = (points[outer * 3 + 2]! + points[inner * 3 + 2]!) / 2;
    for (let point = 0; point < irisPoints; point++) {
      const at = i * perEye + (eyeContour + point) * 3;
      const u = output!.data[at]!;
      const inCrop = { u: mirrored ? side - 1 - u : u, v: output!.data[at + 1]!, z };
      writePoint(points, first + point, inCrop, toPicture);
    }
  }
}

/** Crops the square out of the picture, as the model's input. */
export function cropForModel(picture: Picture, square: FaceSquare, model: PictureModel): Float32Array {
  const [side] = model.input.size!;
  const crop = samplePictureThrough(picture, similarityOf(square, side), { width: side, height: side });
  return modelInput(crop, model);
}

/** From pixels of the square's crop of this side to the picture. */
function similarityOf(square: FaceSquare, side: number): Similarity {
  const scale = square.side / side;
  const a = scale * Math.cos(square.roll);
  const b = scale * Math.sin(square.roll);
  const middle = (side - 1) / 2;
  return { a, b, x0: square.x - a * middle + b * middle, y0: square.y - b * middle - a * middle };
}

interface CropPoint {
  u: number;
  v: number;
  z: number;
}

function writePoint(
  points: Float32Array,
  index: number,
  { u, v, z }: CropPoint,
  { a, b, x0, y0 }: Similarity,
): void {
  points[index * 3] = a * u - b * v + x0;
  points[index * 3 + 1] = b * u + a * v + y0;
  points[index * 3 + 2] = z;
}

function mirrorRows(values: Float32Array, side: number): Float32Array {
  const mirrored = values.slice();
  for (let row = 0; row < values.length; row += side) mirrored.subarray(row, row + side).reverse();
  return mirrored;
}
