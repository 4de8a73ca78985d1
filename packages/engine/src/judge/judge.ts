import type { Quality, QualityCheck, QualityReason, QualityRegion } from '@guise/contract/quality.ts';
import type { Face } from '../faces/face.ts';
import type { Window } from '../pixels/resample.ts';
import { betweenNeighbours } from './between-neighbours.ts';
import type { Check } from './check.ts';
import { cutHair } from './cut-hair.ts';
import { cutHeads } from './cut-heads.ts';
import { cutThroughPeople } from './cut-through-people.ts';
import { endsInAir } from './ends-in-air.ts';
import { enlargedPeople } from './enlarged-people.ts';
import { faceSeam } from './face-seam.ts';
import { foreignParts } from './foreign-parts.ts';
import { findJoints, type Joint } from './joints.ts';
import type { JudgedHead } from './judged-head.ts';
import { type Composition, type JudgedPicture, prepareJudging } from './judged-picture.ts';
import { looseParts } from './loose-parts.ts';
import { missingLimbs } from './missing-limbs.ts';
import { missingParts } from './missing-parts.ts';
import { movedFeatures } from './moved-features.ts';
import { partBesideHead } from './part-beside-head.ts';
import { patchedFace } from './patched-face.ts';
import { peopleBeside } from './people-beside.ts';
import { mainCause, riskOf } from './risk.ts';
import type { SwappedFace } from './swapped-face.ts';
import { unsureOutline } from './unsure-outline.ts';

export const checks: readonly Check[] = [
  looseParts,
  foreignParts,
  cutThroughPeople,
  betweenNeighbours,
  missingLimbs,
  missingParts,
  endsInAir,
  cutHeads,
  peopleBeside,
  unsureOutline,
  enlargedPeople,
];

/** What a face that was put into a template is judged by. */
export const faceChecks: readonly Check<SwappedFace>[] = [faceSeam, patchedFace, movedFeatures];

/** What a head in a costume is judged by. */
export const headChecks: readonly Check<JudgedHead>[] = [cutHair, partBesideHead];

/** These are seen at once, whatever else is right: their limits alone decide. */
export const certainChecks: readonly QualityCheck[] = ['ends in the air', 'head cut off'];

/** From this risk on a picture is not good. */
export const fairRisk = 0.5;

const limits = new Map<string, number>(
  [...checks, ...faceChecks, ...headChecks].map(({ name, limit }) => [name, limit]),
);

/** What a check measured on a picture, whether or not it is within its limit. */
export type Measurement = Extract<QualityReason, { measure: number }>;

/** What the checks make of a composition. */
export interface Judgement {
  measurements: Measurement[];
  /** The picture that they were measured on. */
  picture: JudgedPicture;
}

/** Looks at compositions of the same people, whose joints are found once. */
export type Judge = (composition: Composition) => Promise<Judgement>;

export function createJudge(): Judge {
  const joints = new Map<Face, readonly Joint[]>();
  return async (composition) => {
    for (const { people } of composition.placed) {
      for (const face of people.faces)
        if (!joints.has(face)) joints.set(face, await findJoints(people.photo, face));
    }
    const picture = prepareJudging(composition, joints);
    const measurements = checks.map((check) => measureWith(check, picture, picture.factor));
    return { measurements, picture };
  };
}

/** What a check measures on a subject that is smaller than its picture by a factor. */
export function measureWith<Subject>(check: Check<Subject>, subject: Subject, factor = 1): Measurement {
  const { measure, regions } = check.measure(subject);
  return { check: check.name, measure, regions: regions.map((region) => enlargeRegion(region, factor)) };
}

/** The measurements that are beyond their limits: what may be wrong with a picture, and where. */
export function findBeyondLimits(measurements: readonly Measurement[]): Measurement[] {
  return measurements.filter(({ check, measure }) => measure >= limitOf(check));
}

/** How likely it is that a picture would not be kept, from 0 to 1. */
export const riskOfPicture = (measurements: readonly Measurement[]) => riskOf(rate(measurements));

/**
 * Why a picture is not good, if it is not: where its risk is high, whatever is beyond its limit, or else what adds most
 * to the risk; where it is low, only what is certain.
 */
export function findReasons(measurements: readonly Measurement[]): Measurement[] {
  const beyond = findBeyondLimits(measurements);
  if (riskOfPicture(measurements) < fairRisk)
    return beyond.filter(({ check }) => certainChecks.includes(check));
  if (beyond.length > 0) return beyond;
  const cause = mainCause(rate(measurements));
  return measurements.filter(({ check }) => check === cause);
}

/** Every check once: of several faces in a template the worst counts. */
function rate(measurements: readonly Measurement[]) {
  const worst = new Map<QualityCheck, number>();
  for (const { check, measure } of measurements) worst.set(check, Math.max(measure, worst.get(check) ?? 0));
  return [...worst].map(([check, measure]) => ({
    check,
    measure,
    limit: limitOf(check as Measurement['check']),
  }));
}

/** What callers are told: a picture is delivered as well as it could be made. */
export function qualityOf(measurements: readonly Measurement[]): Quality {
  const reasons = findReasons(measurements);
  return { grade: reasons.length === 0 ? 'good' : 'fair', reasons };
}

export const limitOf = (name: Measurement['check']) => limits.get(name)!;

const enlargeRegion = ({ x, y, width, height }: Window, factor: number): QualityRegion => ({
  x: Math.round(x * factor),
  y: Math.round(y * factor),
  width: Math.round(width * factor),
  height: Math.round(height * factor),
});
