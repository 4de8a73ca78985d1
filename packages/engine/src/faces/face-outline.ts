import type { Placement, Size } from '../pixels/plane.ts';
import type { Face } from './face.ts';

/** The mesh points around the face, in order. */
export const faceOval = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

/** Visits every row of the face's oval, scaled about its centre by `growth`, with the columns that it covers. */
export function scanFace(
  face: Face,
  growth: number,
  { width, height }: Size,
  visit: (y: number, from: number, to: number) => void,
): void {
  const xs = faceOval.map((i) => face.center.x + (face.points[i * 3]! - face.center.x) * growth);
  const ys = faceOval.map((i) => face.center.y + (face.points[i * 3 + 1]! - face.center.y) * growth);
  const top = Math.max(0, Math.ceil(Math.min(...ys)));
  const bottom = Math.min(height - 1, Math.floor(Math.max(...ys)));
  for (let y = top; y <= bottom; y++) {
    let from = Infinity;
    let to = -Infinity;
    for (let i = 0; i < xs.length; i++) {
      const j = (i + 1) % xs.length;
      const y1 = ys[i]!;
      const y2 = ys[j]!;
      if (y1 > y === y2 > y) continue;
      const x = xs[i]! + ((y - y1) / (y2 - y1)) * (xs[j]! - xs[i]!);
      from = Math.min(from, x);
      to = Math.max(to, x);
    }
    const first = Math.max(0, Math.ceil(from));
    const last = Math.min(width - 1, Math.floor(to));
    if (first <= last) visit(y, first, last);
  }
}

/** A point of the mesh. */
export function pointOf(face: Face, index: number): { x: number; y: number } {
  return { x: face.points[index * 3]!, y: face.points[index * 3 + 1]! };
}

/** How far two points of a mesh are apart, in space. */
export function meshDistance(points: Float32Array, i: number, j: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => points[i * 3 + k]! - points[j * 3 + k]!));
}

/** The borders of a face's oval. */
export function ovalBounds({ points }: Pick<Face, 'points'>) {
  const xs = faceOval.map((i) => points[i * 3]!);
  const ys = faceOval.map((i) => points[i * 3 + 1]!);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** The face after the picture it is in has been scaled and moved. */
export function moveFace(face: Face, { scale, x: dx, y: dy }: Placement): Face {
  const points = new Float32Array(face.points.length);
  for (let i = 0; i < points.length; i += 3) {
    points[i] = face.points[i]! * scale + dx;
    points[i + 1] = face.points[i + 1]! * scale + dy;
    points[i + 2] = face.points[i + 2]! * scale;
  }
  return {
    ...face,
    points,
    center: { x: face.center.x * scale + dx, y: face.center.y * scale + dy },
    height: face.height * scale,
    width: face.width * scale,
  };
}

/** The face rotated about the origin, clockwise on the picture for positive angles. */
export function rotateFace(face: Face, angle: number): Face {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const points = new Float32Array(face.points);
  for (let i = 0; i < points.length; i += 3) {
    const x = face.points[i]!;
    const y = face.points[i + 1]!;
    points[i] = cos * x - sin * y;
    points[i + 1] = sin * x + cos * y;
  }
  const { x, y } = face.center;
  return {
    ...face,
    points,
    center: { x: cos * x - sin * y, y: sin * x + cos * y },
    roll: face.roll + angle,
  };
}

/** The median of the faces' heights: the unit of lengths for a group. */
export function medianHeight(faces: readonly Face[]): number {
  const heights = faces.map((face) => face.height).sort((a, b) => a - b);
  return heights[heights.length >> 1] ?? 0;
}

/** Distance to the centre of the nearest face, in that face's heights. */
export function distanceToFace(faces: readonly Face[], x: number, y: number): number {
  let nearest = Infinity;
  for (const { center, height } of faces) {
    const dx = (x - center.x) / height;
    const dy = (y - center.y) / height;
    nearest = Math.min(nearest, dx * dx + dy * dy);
  }
  return Math.sqrt(nearest);
}
