import type { QualityCheck } from '@guise/contract/quality.ts';
import type { RiskModel } from './check.ts';
import { riskWeights } from './risk-weights.ts';

/** A measure, of which the limit is the unit. */
export interface RatedMeasure {
  check: QualityCheck;
  measure: number;
  limit: number;
}

/** Twice a small fault is about as much worse as twice a large one. */
export const rateMeasure = ({ measure, limit }: Omit<RatedMeasure, 'check'>) =>
  Math.log1p(Math.max(0, measure) / limit);

/** How likely it is that a picture with these measures would not be kept, from 0 to 1. */
export function riskOf(
  measures: readonly RatedMeasure[],
  models: readonly RiskModel[] = riskWeights,
): number {
  const model = modelFor(measures, models);
  if (!model) return 0;
  const sum = measures.reduce((sum, one) => sum + contributionOf(one, model), model.bias);
  return 1 / (1 + Math.exp(-sum));
}

/** The check that adds most to the risk of a picture. */
export function mainCause(measures: readonly RatedMeasure[]): QualityCheck | null {
  const model = modelFor(measures, riskWeights);
  if (!model) return null;
  const added = measures.map((one) => ({ check: one.check, added: contributionOf(one, model) }));
  return added.reduce((a, b) => (b.added > a.added ? b : a)).check;
}

/** Of people in scenes or of faces in templates, by what was measured. */
const modelFor = (measures: readonly RatedMeasure[], models: readonly RiskModel[]) =>
  models.find(({ weights }) => measures.some(({ check }) => check in weights));

const contributionOf = (one: RatedMeasure, { weights }: RiskModel) =>
  (weights[one.check] ?? 0) * rateMeasure(one);
