import { boxBlur } from './blur.ts';
import { smoothstep } from './colour.ts';
import { medianHeight } from './face-outline.ts';
import type { Face } from './picture.ts';

/**
 * Decides broad half-transparent parts, in place: the network leaves them where it is unsure of a leg or a chair, and
 * nobody has a limb of glass. Edges and hair are narrow and stay as soft as they are.
 */
export function settleVeils(
  alpha: Float32Array,
  width: number,
  height: number,
  faces: readonly Face[],
): void {
  const undecided = new Float32Array(alpha.length);
  for (let i = 0; i < alpha.length; i++) undecided[i] = alpha[i]! > 0.08 && alpha[i]! < 0.92 ? 1 : 0;
  const breadth = boxBlur(undecided, width, height, Math.max(3, 0.1 * medianHeight(faces)));
  for (let i = 0; i < alpha.length; i++) {
    const veil = smoothstep(0.35, 0.65, breadth[i]!);
    if (veil > 0 && undecided[i] === 1) {
      alpha[i] = alpha[i]! + (smoothstep(0.35, 0.65, alpha[i]!) - alpha[i]!) * veil;
    }
  }
}
