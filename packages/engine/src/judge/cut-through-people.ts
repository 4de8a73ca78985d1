import { type Check, nothingFound } from './check.ts';
import { findRuns } from './find-parts.ts';
import { isPersonBeyond } from './outline.ts';

/**
 * One guest of a group: a run of the outline outside of which the photo goes on with a person. Somebody’s arm is left
 * out, or a neighbour stood before the guest. By length. Where an outline of the guest was drawn by a network of its
 * own, this says nothing: it parts people who touch, rightly or not.
 */
export const cutThroughPeople: Check = {
  name: 'cut through people',
  limit: 1.4,
  measure(picture) {
    if (picture.hasOutlines || !picture.isOneOfGroup) return nothingFound;
    const [longest] = findRuns(
      picture,
      picture.outline.filter((point) => isPersonBeyond(picture, point)),
    );
    return { measure: longest?.size ?? 0, regions: longest ? [longest.region] : [] };
  },
};
