import { pointOf } from '../faces/face-outline.ts';
import type { Check } from './check.ts';
import { findCut, type JudgedHead } from './judged-head.ts';

/**
 * A head that ends, above its mouth, where the photo goes on with bare skin of the body: a hand in the hair of which the
 * arm was left out, a neighbour's arm, a shoulder. By length, together. Clothes do not count: of a collar or a sleeve that
 * touched the head nothing is seen.
 */
export const partBesideHead: Check<JudgedHead> = {
  name: 'part beside head',
  limit: 0.2,
  measure(head) {
    const mouth = pointOf(head.face, 13).y;
    return findCut(
      head,
      head.outline.filter(({ y }) => y < mouth),
      head.bodySkin,
    );
  },
};
