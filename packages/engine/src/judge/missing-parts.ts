import type { Check } from './check.ts';
import { findMarkedParts } from './find-parts.ts';

/**
 * A part that the body classes call a person and that is not in the picture, where everybody of the photo is meant to be.
 * By area.
 */
export const missingParts: Check = {
  name: 'missing part',
  limits: { fair: 0.1, bad: 0.5 },
  measure(picture) {
    if (!picture.hasEverybody) return { measure: 0, regions: [] };
    const { width, byClasses, inPhoto, barrierTops } = picture;
    const isSeen = (i: number) => inPhoto[i] === 1 && Math.floor(i / width) <= barrierTops[i % width]! - 2;
    const [largest] = findMarkedParts(picture, (alpha, i) => alpha < 0.5 && byClasses[i]! > 0.6 && isSeen(i));
    return { measure: largest?.size ?? 0, regions: largest ? [largest.region] : [] };
  },
};
