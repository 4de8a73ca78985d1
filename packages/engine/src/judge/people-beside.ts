import { type Check, nothingFound } from './check.ts';
import { findMarkedParts } from './find-parts.ts';
import { isSeen } from './judged-picture.ts';

/**
 * One guest of a group: the largest part of others whom the picture leaves out where it shows their photo. The nearer and
 * larger they are, the more often they hide a part of the guest, or a part of them stays. By area.
 */
export const peopleBeside: Check = {
  name: 'people beside',
  limit: 0.5,
  measure(picture) {
    if (!picture.isOneOfGroup) return nothingFound;
    const { byClasses } = picture;
    const [largest] = findMarkedParts(
      picture,
      (alpha, i) => alpha < 0.5 && byClasses[i]! > 0.6 && isSeen(picture, i),
    );
    return { measure: largest?.size ?? 0, regions: largest ? [largest.region] : [] };
  },
};
