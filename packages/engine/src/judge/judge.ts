import type { QualityReason, QualityRegion } from '@guise/contract/quality.ts';
import type { Window } from '../pixels/resample.ts';
import { betweenNeighbours } from './between-neighbours.ts';
import type { Check } from './check.ts';
import { cutThroughPeople } from './cut-through-people.ts';
import { foreignParts } from './foreign-parts.ts';
import { type Composition, prepareJudging } from './judged-picture.ts';
import { looseParts } from './loose-parts.ts';
import { missingParts } from './missing-parts.ts';
import { findOutline } from './outline.ts';
import { unsureOutline } from './unsure-outline.ts';

export const checks: readonly Check[] = [
  looseParts,
  foreignParts,
  cutThroughPeople,
  betweenNeighbours,
  missingParts,
  unsureOutline,
];

/** What a check measured on a picture, whether or not it is within its limits. */
export type Measurement = Extract<QualityReason, { measure: number }>;

/** What the checks make of a picture: whether it would be kept, and why not. */
export interface Judgement {
  quality: 'good' | 'fair' | 'bad';
  reasons: Measurement[];
}

/** Measures a composition with every check. */
export function measureComposition(composition: Composition): Measurement[] {
  const picture = prepareJudging(composition);
  const outline = findOutline(picture);
  return checks.map((check) => {
    const { measure, regions } = check.measure(picture, outline);
    return {
      check: check.name,
      measure,
      regions: regions.map((region) => enlargeRegion(region, picture.factor)),
    };
  });
}

/** Looks at a composition before it is called done. */
export function judgeComposition(composition: Composition): Judgement {
  return judgeMeasurements(measureComposition(composition));
}

export function judgeMeasurements(measurements: readonly Measurement[]): Judgement {
  const exceeds = (limit: 'fair' | 'bad') =>
    measurements.filter(({ check, measure }) => measure >= limitsOf(check)[limit]);
  const reasons = exceeds('fair');
  if (reasons.length === 0) return { quality: 'good', reasons };
  return { quality: exceeds('bad').length > 0 ? 'bad' : 'fair', reasons };
}

const limitsOf = (name: Check['name']) => checks.find((check) => check.name === name)!.limits;

const enlargeRegion = ({ x, y, width, height }: Window, factor: number): QualityRegion => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
});
