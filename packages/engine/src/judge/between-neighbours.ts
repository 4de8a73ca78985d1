import { pointOf } from '../faces/face-outline.ts';
import { type Check, nothingFound } from './check.ts';
import { findRuns } from './find-parts.ts';
import { isPersonBeyond } from './outline.ts';

/** How much an outline has to face one side to be of that side. */
const sideways = 0.3;

/**
 * One guest of a group below whose chin the photo goes on with people on both sides: arms that neighbours hide are
 * missing, however well the outline is drawn. By length, on the side that has less of it.
 */
export const betweenNeighbours: Check = {
  name: 'between neighbours',
  limit: 1,
  measure(picture) {
    if (!picture.isOneOfGroup) return nothingFound;
    const chin = pointOf(picture.faces[0]!, 152).y;
    const touching = picture.outline.filter((point) => point.y > chin && isPersonBeyond(picture, point));
    const left = touching.filter(({ out }) => out.x < -sideways);
    const right = touching.filter(({ out }) => out.x > sideways);
    const regions = [left, right].flatMap((side) => findRuns(picture, side).slice(0, 1));
    return {
      measure: Math.min(left.length, right.length) / picture.unit,
      regions: regions.map(({ region }) => region),
    };
  },
};
