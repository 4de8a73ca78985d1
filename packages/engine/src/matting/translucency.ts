import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { smoothstep } from '../pixels/scalar.ts';

/**
 * Makes broad translucent parts opaque or transparent, in place: the network leaves them where it is unsure of a leg
 * or a chair. Edges are narrow and stay soft, and so does everything around heads: hair that is decided has a halo.
 */
export function decideTranslucent(matte: Plane, faces: readonly Face[]): void {
  const { width, height, data: alpha } = matte;
  const { undecided, breadth } = findTranslucent(matte, medianHeight(faces));
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (undecided[i] === 0 || breadth[i]! < 0.5) continue;
      const nearest = distanceToFace(faces, x, y);
      const share = smoothstep(0.5, 0.8, breadth[i]!) * smoothstep(1.4, 1.9, nearest);
      alpha[i] = alpha[i]! + (smoothstep(0.35, 0.65, alpha[i]!) - alpha[i]!) * share;
    }
  }
}

/** Which pixels are neither person nor background, and the share of such pixels around each. */
export function findTranslucent(
  matte: Plane,
  faceHeight: number,
): { undecided: Float32Array; breadth: Float32Array } {
  const { data: alpha } = matte;
  const undecided = new Float32Array(alpha.length);
  for (let i = 0; i < alpha.length; i++) undecided[i] = alpha[i]! > 0.08 && alpha[i]! < 0.92 ? 1 : 0;
  const breadth = boxMean(planeOf(undecided, matte), Math.max(3, 0.12 * faceHeight)).data;
  return { undecided, breadth };
}
