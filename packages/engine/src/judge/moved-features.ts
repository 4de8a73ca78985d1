import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Check } from './check.ts';
import { type SwappedFace, windowAround } from './swapped-face.ts';

/** The outer corners of the eyes, between which positions are told, the middle of the mouth and the chin. */
const [leftCorner, rightCorner] = [33, 263];
const told = [13, 152];

/**
 * A mouth and a chin that are not where the template has them, as a network of landmarks sees both: a collapsed nose, a
 * crooked mouth, doubled lines. By their distance, where that of the eyes is 1. A face that is not found any more counts
 * as one.
 */
export const movedFeatures: Check<SwappedFace> = {
  name: 'moved features',
  limit: 0.05,
  measure({ face, found }) {
    const regions = [windowAround(face)];
    if (!found) return { measure: 1, regions };
    const distances = told.map((i) => {
      const [there, now] = [positionOf(face, i), positionOf(found, i)];
      return Math.hypot(there.along - now.along, there.across - now.across);
    });
    return { measure: distances.reduce((sum, one) => sum + one, 0) / distances.length, regions };
  },
};

/** Where a point of a face is, along the line between its eyes and across it. */
function positionOf(face: Face, i: number): { along: number; across: number } {
  const [from, to, point] = [pointOf(face, leftCorner), pointOf(face, rightCorner), pointOf(face, i)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [x, y] = [point.x - from.x, point.y - from.y];
  const squared = dx * dx + dy * dy;
  return { along: (x * dx + y * dy) / squared, across: (y * dx - x * dy) / squared };
}
