import type { QualityCheck } from '@guise/contract/quality.ts';
import type { Window } from '../pixels/resample.ts';
import type { JudgedPicture } from './judged-picture.ts';

/** What a check measured, and the parts of the judged picture that it measured it on. */
export interface Finding {
  measure: number;
  regions: Window[];
}

/** One thing that a picture can be found wanting in, and what it is measured on. */
export interface Check<Subject = JudgedPicture> {
  name: QualityCheck;
  /** From this measure on a picture is not good. */
  limit: number;
  measure(subject: Subject): Finding;
}

export const nothingFound: Finding = { measure: 0, regions: [] };

/** What the measures of a picture say together: a bias, and how much each check adds to it. */
export interface RiskModel {
  bias: number;
  weights: Partial<Record<QualityCheck, number>>;
}
