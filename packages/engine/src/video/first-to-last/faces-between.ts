import type { Face } from '../../faces/face.ts';
import { faceOval } from '../../faces/face-outline.ts';
import type { Affine } from './field.ts';
import { applyAffine, type FacePair } from './head-field.ts';

/** Heads that are turned further apart than this have no mesh in common: they only go along as a whole. */
const mostAngle = 0.45;
/** The outline of a face slides over it when the head turns; so much of the face's height inside, points hold. */
const rim = 0.08;

/** Which face of the first frame is which of the last: where the map puts it, or in order when there is no map. */
export function pairFaces(first: readonly Face[], last: readonly Face[], map: Affine | null): FacePair[] {
  if (map) {
    return first.flatMap((face) => {
      const [x, y] = applyAffine(map, face.center.x, face.center.y);
      const near = last.find(
        (other) =>
          Math.hypot(other.center.x - x, other.center.y - y) < 1.3 * other.height &&
          isNearest(other, first, map, face),
      );
      return near ? [pairOf(face, near)] : [];
    });
  }
  if (first.length === last.length) return first.map((face, i) => pairOf(face, last[i]!));
  const largest = (faces: readonly Face[]) => faces.toSorted((a, b) => b.height - a.height)[0];
  const [one, other] = [largest(first), largest(last)];
  return one && other ? [pairOf(one, other)] : [];
}

function isNearest(other: Face, first: readonly Face[], map: Affine, face: Face): boolean {
  const distance = (one: Face) => {
    const [x, y] = applyAffine(map, one.center.x, one.center.y);
    return Math.hypot(other.center.x - x, other.center.y - y);
  };
  return first.every((one) => distance(one) >= distance(face));
}

/** The points that both faces are told by: the inner ones, or only where the eyes, the nose and the mouth are. */
function pairOf(first: Face, last: Face): FacePair {
  const apart = Math.max(Math.abs(first.yaw - last.yaw), Math.abs(first.pitch - last.pitch));
  const chosen = apart > mostAngle ? anchors : innerPoints(first);
  const take = ({ points }: Face) =>
    Float32Array.from(chosen.flatMap((i) => [points[i * 3]!, points[i * 3 + 1]!]));
  return { from: take(first), to: take(last), stiff: apart > mostAngle };
}

/** Corners of the eyes, tip and root of the nose, corners of the mouth. */
const anchors = [33, 133, 362, 263, 1, 168, 61, 291];

function innerPoints({ points, height }: Face): number[] {
  const far = (i: number) =>
    faceOval.every(
      (j) =>
        Math.hypot(points[i * 3]! - points[j * 3]!, points[i * 3 + 1]! - points[j * 3 + 1]!) > rim * height,
    );
  return Array.from({ length: points.length / 3 }, (_, i) => i).filter(far);
}
