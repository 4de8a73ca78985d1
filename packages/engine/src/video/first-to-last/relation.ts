import type { Affine } from './field.ts';
import { type Cv, type GreyImage, matOf, withFreedObjects } from './opencv.ts';

/** Corners that look alike in two frames: x, y in the first and in the last, four numbers each. */
export type Matches = number[];

/** What a map is worth: how many matches it agrees with, and which it does not. */
export interface AffineFit {
  map: Affine;
  inliers: number;
  rest: Matches;
}

/** How much two frames show of the same thing. */
export interface Relation {
  /** Corners of the first that lie in the second where one affine map puts them. */
  inliers: number;
  /** From the first frame to the second; null when too few corners agree on one. */
  map: Affine | null;
}

const mostCorners = 1500;
/** Of 256 bits; further apart, two corners are not the same thing. */
const mostBitsApart = 60;
/** A corner may lie this far from where the map puts it, in pixels. */
const tolerance = 4;
/** Over 180 pairs of unrelated photos the most was 11; related ones have 40 and more. */
export const leastInliers = 22;
const leastShare = 0.12;

/** Compares two frames by their corners (ORB) and the map that most of them agree on (RANSAC). */
export function relate(cv: Cv, first: GreyImage, last: GreyImage): Relation {
  const matches = matchCorners(cv, first, last);
  const fit = fitMap(cv, matches);
  return { inliers: fit?.inliers ?? 0, map: fit && isRelated(fit, matches) ? fit.map : null };
}

export function isRelated({ map, inliers }: AffineFit, matches: Matches): boolean {
  return inliers >= leastInliers && inliers / (matches.length / 4) >= leastShare && isPlausible(map);
}

export function matchCorners(cv: Cv, first: GreyImage, last: GreyImage): Matches {
  return withFreedObjects((own) => {
    const orb = own(new cv.ORB(mostCorners));
    const nothing = own(new cv.Mat());
    const describe = (grey: GreyImage) => {
      const corners = own(new cv.KeyPointVector());
      const marks = own(new cv.Mat());
      orb.detectAndCompute(own(matOf(cv, grey)), nothing, corners, marks);
      return { corners, marks };
    };
    const a = describe(first);
    const b = describe(last);
    if (a.marks.rows === 0 || b.marks.rows === 0) return [];
    const found = own(new cv.DMatchVector());
    own(new cv.BFMatcher(cv.NORM_HAMMING, true)).match(a.marks, b.marks, found);
    const matches: Matches = [];
    for (let i = 0; i < found.size(); i++) {
      const { distance, queryIdx, trainIdx } = found.get(i) as Match;
      if (distance >= mostBitsApart) continue;
      const p = (a.corners.get(queryIdx) as Corner).pt;
      const q = (b.corners.get(trainIdx) as Corner).pt;
      matches.push(p.x, p.y, q.x, q.y);
    }
    return matches;
  });
}

interface Corner {
  pt: { x: number; y: number };
}
interface Match {
  distance: number;
  queryIdx: number;
  trainIdx: number;
}

/** The affine map that most of the matches agree on; null when there are too few to tell. */
export function fitMap(cv: Cv, matches: Matches): AffineFit | null {
  const count = matches.length / 4;
  if (count < 8) return null;
  return withFreedObjects((own) => {
    const kept = own(new cv.Mat());
    const points = (offset: number) => {
      const list = matches.filter((_, i) => (i & 2) === offset);
      return own(cv.matFromArray(count, 1, cv.CV_32FC2, list));
    };
    const found = own(cv.estimateAffine2D(points(0), points(2), kept, cv.RANSAC, tolerance));
    if (found.rows !== 2) return null;
    const inliers = kept.data.reduce((sum, one) => sum + one, 0);
    const rest = matches.filter((_, i) => kept.data[i >> 2] === 0);
    return { map: [...found.data64F].slice(0, 6) as unknown as Affine, inliers, rest };
  });
}

/** A camera that moved a little does not mirror, squash or shrink by more than this. */
export function isPlausible([a, b, , d, e]: Affine): boolean {
  const area = a * e - b * d;
  const stretch = Math.hypot(a, d) / Math.hypot(b, e);
  return area > 0.12 && area < 8 && stretch > 0.6 && stretch < 1.7;
}
