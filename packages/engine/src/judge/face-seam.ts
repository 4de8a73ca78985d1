import type { Check } from './check.ts';
import { blurFace, compareFaces, type SwappedFace, valueAt, windowAround } from './swapped-face.ts';

/**
 * A hard edge between a guest's face and the template around it: along the face's outline, how steeply the change that
 * the swap made begins, in L* over two pixels of the compared square, a seventieth of a face height. What is as steep in
 * both pictures is no change, and so no seam.
 */
export const faceSeam: Check<SwappedFace> = {
  name: 'face seam',
  limit: 2,
  measure(swapped) {
    const { lighter, inside } = compareFaces(swapped);
    const { width, height } = lighter;
    const change = blurFace(lighter, 0.008);
    const near = blurFace(inside, 0.03);
    const steps: number[] = [];
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const i = y * width + x;
        if (near[i]! <= 0.25 || near[i]! >= 0.75) continue;
        steps.push(Math.hypot(change[i + 1]! - change[i - 1]!, change[i + width]! - change[i - width]!));
      }
    }
    return {
      measure: valueAt(Float32Array.from(steps), 0.95),
      regions: [windowAround(swapped.face)],
    };
  },
};
