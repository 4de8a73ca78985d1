import type { Check } from './check.ts';
import { findMarkedParts } from './find-parts.ts';

/** A part that is kept though the body classes call it background: a patch of a sofa beside a hip. By area. */
export const foreignParts: Check = {
  name: 'foreign part',
  limits: { fair: 0.15, bad: 0.15 },
  measure(picture) {
    const { byClasses, hair } = picture;
    const [largest] = findMarkedParts(
      picture,
      (alpha, i) => alpha >= 0.5 && byClasses[i]! < 0.3 && hair[i]! < 0.3,
    );
    return { measure: largest?.size ?? 0, regions: largest ? [largest.region] : [] };
  },
};
