import { type Check, nothingFound } from './check.ts';
import { findMarkedParts } from './find-parts.ts';
import { isSeen } from './judged-picture.ts';

/**
 * A part that the body classes call a person and that is not in the picture, where everybody of the photo is meant to be.
 * By area.
 */
export const missingParts: Check = {
  name: 'missing part',
  limit: 0.5,
  measure(picture) {
    if (!picture.hasEverybody) return nothingFound;
    const { byClasses } = picture;
    const [largest] = findMarkedParts(
      picture,
      (alpha, i) => alpha < 0.5 && byClasses[i]! > 0.6 && isSeen(picture, i),
    );
    return { measure: largest?.size ?? 0, regions: largest ? [largest.region] : [] };
  },
};
