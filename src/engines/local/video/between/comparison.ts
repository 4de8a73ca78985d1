import type { Size } from '../../framing.ts';
import type { Face } from '../../picture.ts';
import { pairFaces } from './faces-between.ts';
import { type Affine, affineField, type Field, identity, inverseOf, newField, sharedPlane } from './field.ts';
import { measureFlows } from './flow.ts';
import { headField, similarity, turnedRound } from './head-field.ts';
import type { Cv, Grey } from './opencv.ts';
import type { Way } from './passage.ts';
import { relate } from './relation.ts';

/** Two frames at the grid's size, and the faces in them in its pixels. */
export interface Compared {
  first: Grey;
  last: Grey;
  faces: { first: Face[]; last: Face[] };
  /** The frame's pixels for one of the grid. */
  scale: number;
}

export interface Comparison {
  /** Whether the frames show enough of the same for one to be bent into the other. */
  related: boolean;
  inliers: number;
  /** Pairs of faces found in both. */
  faces: number;
  there: Way;
  back: Way;
}

/** The most that flow may add to what the map and the faces say, in shares of the grid's longer side. */
const freedom = 0.09;

/** Finds where each frame's pixels are in the other. */
export function compareFrames(cv: Cv, { first, last, faces, scale }: Compared): Comparison {
  const { inliers, map } = relate(cv, first, last);
  const pairs = pairFaces(faces.first, faces.last, map);
  const whole = map ?? (pairs.length > 0 ? similarity(pairs) : identity);
  const bent = {
    there: headField(first, whole, pairs),
    back: headField(first, inverseOf(whole), pairs.map(turnedRound)),
  };
  const most = freedom * Math.max(first.width, first.height);
  const flows = map
    ? measureFlows(cv, first, last, { ...bent, most })
    : {
        ...bent,
        trustThere: faceTrust(
          first,
          pairs.map(({ from }) => from),
        ),
        trustBack: faceTrust(
          first,
          pairs.map(({ to }) => to),
        ),
      };
  return {
    related: map !== null,
    inliers,
    faces: pairs.length,
    there: wayOf(flows.there, whole, flows.trustThere, scale),
    back: wayOf(flows.back, inverseOf(whole), flows.trustBack, scale),
  };
}

/** A field in the grid's pixels as a map of the frame and what is left beside it. */
function wayOf(field: Field, map: Affine, trust: Float32Array, scale: number): Way {
  const even = affineField(field, map);
  const rest = newField(field);
  for (let i = 0; i < rest.x.length; i++) {
    rest.x[i] = (field.x[i]! - even.x[i]!) * scale;
    rest.y[i] = (field.y[i]! - even.y[i]!) * scale;
  }
  // The middle of the grid's pixel 0 is at half its size in the frame's plane, not at 0.
  const [a, b, c, d, e, f] = map;
  const x = c + 0.5 * (1 - a - b);
  const y = f + 0.5 * (1 - d - e);
  return { map: [a, b, x * scale, d, e, y * scale], rest, trust };
}

/** Frames with nothing but faces in common agree there. */
function faceTrust(size: Size, faces: readonly Float32Array[]): Float32Array {
  const trust = sharedPlane(size.width * size.height);
  for (const points of faces) {
    const count = points.length / 2;
    let x = 0;
    let y = 0;
    for (let i = 0; i < points.length; i += 2) {
      x += points[i]! / count;
      y += points[i + 1]! / count;
    }
    let square = 0;
    for (let i = 0; i < points.length; i += 2) square += (points[i]! - x) ** 2 + (points[i + 1]! - y) ** 2;
    const radius = 1.7 * Math.sqrt(square / count);
    for (let row = 0, i = 0; row < size.height; row++) {
      for (let column = 0; column < size.width; column++, i++) {
        const near = 1 / (1 + (Math.hypot(column - x, row - y) / radius) ** 6);
        trust[i] = Math.max(trust[i]!, near);
      }
    }
  }
  return trust;
}
