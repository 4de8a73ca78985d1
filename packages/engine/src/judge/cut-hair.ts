import type { Check } from './check.ts';
import { findCut, type JudgedHead } from './judged-head.ts';

/**
 * Hair that ends in a costume where the photo goes on with hair: long hair of a head that leans, cut round, or a part of
 * it that was taken for somebody else's. By length, together.
 */
export const cutHair: Check<JudgedHead> = {
  name: 'cut hair',
  limit: 0.3,
  measure: (head) => findCut(head, head.outline, head.hair),
};
