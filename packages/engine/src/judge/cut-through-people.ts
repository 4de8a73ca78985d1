import type { Check } from './check.ts';
import { findRuns } from './find-parts.ts';
import { isPersonBeyond } from './outline.ts';

/**
 * A run of the outline outside of which the photo goes on with a person: somebody’s arm is left out, or a neighbour
 * stood before the guest. By length. Where an outline of that person was drawn by a network of its own, this says
 * nothing: it parts people who touch, rightly or not.
 */
export const cutThroughPeople: Check = {
  name: 'cut through people',
  limits: { fair: 1.6, bad: 2 },
  measure(picture, outline) {
    if (picture.hasOutlines) return { measure: 0, regions: [] };
    const [longest] = findRuns(
      picture,
      outline.filter((point) => isPersonBeyond(picture, point)),
    );
    return { measure: longest?.size ?? 0, regions: longest ? [longest.region] : [] };
  },
};
