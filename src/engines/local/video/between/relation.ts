import type { Affine } from './field.ts';
import { type Cv, freeing, type Grey, matOf } from './opencv.ts';

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
/** Unrelated photos reach 6 to 11, related ones 40 and more. */
export const leastInliers = 22;
const leastShare = 0.12;

/** Compares two frames by their corners (ORB) and the map that most of them agree on (RANSAC). */
export function relate(cv: Cv, first: Grey, last: Grey): Relation {
  return freeing((own) => {
    const orb = own(new cv.ORB(mostCorners));
    const nothing = own(new cv.Mat());
    const describe = (grey: Grey) => {
      const corners = own(new cv.KeyPointVector());
      const marks = own(new cv.Mat());
      orb.detectAndCompute(own(matOf(cv, grey)), nothing, corners, marks);
      return { corners, marks };
    };
    const a = describe(first);
    const b = describe(last);
    if (a.marks.rows < 20 || b.marks.rows < 20) return { inliers: 0, map: null };
    const matches = own(new cv.DMatchVector());
    own(new cv.BFMatcher(cv.NORM_HAMMING, true)).match(a.marks, b.marks, matches);
    const from: number[] = [];
    const to: number[] = [];
    for (let i = 0; i < matches.size(); i++) {
      const { distance, queryIdx, trainIdx } = matches.get(i) as Match;
      if (distance >= mostBitsApart) continue;
      const p = (a.corners.get(queryIdx) as Corner).pt;
      const q = (b.corners.get(trainIdx) as Corner).pt;
      from.push(p.x, p.y);
      to.push(q.x, q.y);
    }
    const count = from.length / 2;
    if (count < leastInliers) return { inliers: 0, map: null };
    const kept = own(new cv.Mat());
    const points = (list: number[]) => own(cv.matFromArray(count, 1, cv.CV_32FC2, list));
    const found = own(cv.estimateAffine2D(points(from), points(to), kept, cv.RANSAC, tolerance));
    if (found.rows !== 2) return { inliers: 0, map: null };
    const inliers = kept.data.reduce((sum, one) => sum + one, 0);
    const map = [...found.data64F].slice(0, 6) as unknown as Affine;
    const related = inliers >= leastInliers && inliers / count >= leastShare && isPlausible(map);
    return { inliers, map: related ? map : null };
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

/** A camera that moved a little does not mirror, squash or shrink by more than this. */
function isPlausible([a, b, , d, e]: Affine): boolean {
  const area = a * e - b * d;
  const stretch = Math.hypot(a, d) / Math.hypot(b, e);
  return area > 0.12 && area < 8 && stretch > 0.6 && stretch < 1.7;
}
