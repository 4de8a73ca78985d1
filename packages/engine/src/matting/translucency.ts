import type { Face } from '../faces/face.ts';
import { distanceToFace, medianHeight } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { smoothstep } from '../pixels/scalar.ts';

/**
 * Decides broad half-transparent parts, in place: the network leaves them where it is unsure of a leg or a chair, and
 * nobody has a limb of glass. Edges are narrow and stay as soft as they are, and so does all around heads: decided
 * hair has a halo.
 */
export function settleVeils(
  alpha: Float32Array,
  width: number,
  height: number,
  faces: readonly Face[],
): void {
  const undecided = new Float32Array(alpha.length);
  for (let i = 0; i < alpha.length; i++) undecided[i] = alpha[i]! > 0.08 && alpha[i]! < 0.92 ? 1 : 0;
  const breadth = boxMean({ width, height, data: undecided }, Math.max(3, 0.12 * medianHeight(faces))).data;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (undecided[i] === 0 || breadth[i]! < 0.5) continue;
      const nearest = distanceToFace(faces, x, y);
      const veil = smoothstep(0.5, 0.8, breadth[i]!) * smoothstep(1.4, 1.9, nearest);
      alpha[i] = alpha[i]! + (smoothstep(0.35, 0.65, alpha[i]!) - alpha[i]!) * veil;
    }
  }
}
