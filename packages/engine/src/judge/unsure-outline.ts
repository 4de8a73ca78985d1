import type { Check } from './check.ts';
import { findRuns } from './find-parts.ts';

/** An outline is taken to be at least this long, in face heights: a share of next to nothing says nothing. */
const leastOutline = 3;

/** How far apart the networks have to be, on one side of the outline, to contradict each other there. */
const contradiction = 0.5;

/** The share of the outline, without hair, along which the matting network and the body classes contradict each other. */
export const unsureOutline: Check = {
  name: 'unsure outline',
  limits: { fair: 0.22, bad: Infinity },
  measure(picture, outline) {
    const { width, unit, byClasses, byNetwork, hair } = picture;
    const differ = (i: number) => Math.abs(byClasses[i]! - byNetwork[i]!) > contradiction;
    const plain = outline.filter(({ x, y }) => hair[y * width + x]! < 0.5);
    const disputed = plain.filter(({ inside, outside }) => differ(inside) || differ(outside));
    const measure = disputed.length / Math.max(plain.length, leastOutline * unit);
    const regions = findRuns(picture, disputed).filter(({ size }) => size > 0.5);
    return { measure, regions: regions.map(({ region }) => region) };
  },
};
