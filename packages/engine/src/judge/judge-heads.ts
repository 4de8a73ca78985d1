import type { QualityRegion } from '@guise/contract/quality.ts';
import type { ShownHead } from '../costume/shown-head.ts';
import type { Window } from '../pixels/resample.ts';
import { headChecks, type Measurement, measureWith } from './judge.ts';
import { prepareHead } from './judged-head.ts';

/** What the checks make of the heads of people in costumes. */
export function judgeHeads(heads: readonly ShownHead[]): Measurement[] {
  return heads.flatMap((head) => {
    const judged = prepareHead(head);
    return headChecks.map((check) => {
      const { regions, ...measured } = measureWith(check, judged, judged.factor);
      return { ...measured, regions: regions.map((region) => moveRegion(region, head.area)) };
    });
  });
}

const moveRegion = (region: QualityRegion, { x, y }: Window): QualityRegion => ({
  ...region,
  x: region.x + x,
  y: region.y + y,
});
