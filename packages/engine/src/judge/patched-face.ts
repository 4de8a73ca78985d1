import type { Check } from './check.ts';
import { blurFace, compareFaces, type SwappedFace, valueAt, windowAround } from './swapped-face.ts';

/**
 * A dark patch on a swapped face: hair or a shadow of the guest's photo that went into the template. By how much more
 * than the rest of its skin the most darkened part of it became darker than the template's own skin, in L*.
 */
export const patchedFace: Check<SwappedFace> = {
  name: 'patched face',
  limit: 8,
  measure(swapped) {
    const { lighter, skin } = compareFaces(swapped);
    const change = blurFace(lighter, 0.02).filter((_, i) => skin[i] === 1);
    return {
      measure: Math.max(0, valueAt(change, 0.5) - valueAt(change, 0.03)),
      regions: [windowAround(swapped.face)],
    };
  },
};
