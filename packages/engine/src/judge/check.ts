import type { QualityCheck } from '@guise/contract/quality.ts';
import type { Window } from '../pixels/resample.ts';
import type { JudgedPicture } from './judged-picture.ts';
import type { OutlinePoint } from './outline.ts';

/** What a check measured, and the parts of the judged picture that it measured it on. */
export interface Finding {
  measure: number;
  regions: Window[];
}

/** One thing that a picture can be found wanting in. */
export interface Check {
  name: QualityCheck;
  /** From these measures on a picture is no longer good, and is bad. */
  limits: { fair: number; bad: number };
  measure(picture: JudgedPicture, outline: readonly OutlinePoint[]): Finding;
}
