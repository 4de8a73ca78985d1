import type { Note } from '@guise/contract/notes.ts';
import type { QualityCheck } from '@guise/contract/quality.ts';
import type { SceneComposite } from '../compose/compose.ts';
import type { ComposeOptions } from '../compose/prepared-scene.ts';
import { pointOf } from '../faces/face-outline.ts';
import { headAndShoulders } from '../matting/confidence.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { markForeignParts } from './foreign-parts.ts';
import {
  createJudge,
  faceChecks,
  findBeyondLimits,
  headChecks,
  type Judge,
  type Judgement,
  limitOf,
  type Measurement,
  riskOfPicture,
} from './judge.ts';
import type { JudgedPicture } from './judged-picture.ts';
import { markLooseParts } from './loose-parts.ts';

/** What a picture that came out badly can be made again with. */
export interface Remaking {
  /** Composes these people as before, but for these options. */
  compose(photos: readonly PeoplePhoto[], changes?: Pick<ComposeOptions, 'without'>): Promise<SceneComposite>;
  /** Cuts everybody out again with outlines; null where there is no model for it, or they had a say already. */
  cutWithOutlines: (() => Promise<PeoplePhoto[]>) | null;
  /** No other way is tried after this many milliseconds. */
  timeLimitMs?: number;
}

/** A picture, what was measured on it, and what was done to make it better. */
export interface JudgedComposite {
  composite: SceneComposite;
  measurements: Measurement[];
  mended: Note[];
}

/** A composition that may be taken instead of an earlier one. */
interface Attempt {
  photos: readonly PeoplePhoto[];
  composite: SceneComposite;
  note: Note;
}

type Rung = (
  now: Judgement & { composite: SceneComposite; reasons: readonly Measurement[] },
  photos: readonly PeoplePhoto[],
  remaking: Remaking,
) => Promise<Attempt | null>;

const defaultTimeLimitMs = 12_000;

/**
 * Judges a composition. One that is not good is made again, each time by slower means, as long as that makes it better,
 * it is still not good and there is time. A good one stays as it is.
 */
export async function judgeAndMend(
  photos: readonly PeoplePhoto[],
  composite: SceneComposite,
  remaking: Remaking,
  judge: Judge = createJudge(),
): Promise<JudgedComposite> {
  const until = performance.now() + (remaking.timeLimitMs ?? defaultTimeLimitMs);
  let people = photos;
  let now = { composite, mended: [] as Note[], ...(await judge(composite)) };
  for (const climb of [leaveOutParts, cutAgain, frameCloser] satisfies Rung[]) {
    const reasons = findCurable(now.measurements);
    if (reasons.length === 0 || performance.now() >= until) break;
    const attempt = await climb({ ...now, reasons }, people, remaking);
    if (!attempt) continue;
    const judgement = await judge(attempt.composite);
    if (badnessOf(judgement) >= badnessOf(now)) continue;
    now = { composite: attempt.composite, mended: [...now.mended, attempt.note], ...judgement };
    people = attempt.photos;
  }
  return { composite: now.composite, measurements: now.measurements, mended: now.mended };
}

/** From this measure on, nobody kept such a picture: a head and shoulders that float, a guest without arms. */
const mostInAir = 0.5;
const torn = 2;

/** From this risk on a picture is refused. */
export const mostRisk = 0.75;

/** Refuses what cannot be shown, in words for the guest. */
export function assertShowable(measurements: readonly Measurement[]): void {
  const measured = (name: Measurement['check']) =>
    measurements.find(({ check }) => check === name)?.measure ?? 0;
  if (measured('ends in the air') >= mostInAir) {
    throw cannotMake(
      'The photo shows too little of you. Step back from the camera, into the middle of the picture, and try again.',
    );
  }
  const isParted =
    measured('cut through people') >= torn || measured('between neighbours') >= limitOf('between neighbours');
  const isRisky = riskOfPicture(measurements.map(boundEnlargement)) >= mostRisk;
  if (isParted && (isRisky || measured('missing limb') >= torn)) {
    throw cannotMake(
      'You cannot be told from the people beside you. Take it again with nobody touching you, in front of a plain wall.',
    );
  }
  if (isRisky) throw cannotMake(riskySentence(measurements));
}

/** A small photo is a reason for a fair picture, and by itself none to refuse one. */
export function boundEnlargement<One extends Pick<Measurement, 'check' | 'measure'>>(one: One): One {
  if (one.check !== 'enlarged people') return one;
  return { ...one, measure: Math.min(one.measure, limitOf(one.check)) };
}

function riskySentence(measurements: readonly Measurement[]): string {
  const isOf = (some: readonly { name: QualityCheck }[]) =>
    measurements.some(({ check }) => some.some(({ name }) => name === check));
  if (isOf(headChecks)) {
    return 'Your head does not come out well in this costume. Put your hands down, hold your head upright with your hair behind your shoulders and try again.';
  }
  if (isOf(faceChecks)) {
    return 'Your face does not come out well in this filter. Free your face of hair, look at the camera in an even light and try again.';
  }
  return 'You cannot be told cleanly from what is around you. Come closer to the camera, in front of a plain wall, and try again.';
}

/** What is so in the photo, and stays so in every picture of it. */
const ofThePhoto: readonly Measurement['check'][] = ['people beside', 'unsure outline', 'enlarged people'];

/** What is wrong that another cut-out or framing may do away with. */
function findCurable(measurements: readonly Measurement[]): Measurement[] {
  return findBeyondLimits(measurements).filter(({ check }) => !ofThePhoto.includes(check));
}

/** How far beyond their limits the measures of a picture are, together: 0 for a good one. */
function badnessOf({ measurements }: Judgement): number {
  return findBeyondLimits(measurements).reduce(
    (sum, { check, measure }) => sum + measure / limitOf(check),
    0,
  );
}

/** Leaves out what belongs to nobody: parts that are joined to no face, and background that stands out from people. */
const leaveOutParts: Rung = async ({ reasons, picture }, photos, { compose }) => {
  const isLoose = reasons.some(({ check }) => check === 'loose part');
  const isForeign = reasons.some(({ check }) => check === 'foreign part');
  if (!isLoose && !isForeign) return null;
  const without = joinMarks(picture, [
    ...(isLoose ? [markLooseParts(picture)] : []),
    ...(isForeign ? [markForeignParts(picture)] : []),
  ]);
  const value = isForeign ? 'a part of the background is left out' : 'a loose part is left out';
  return {
    photos,
    composite: await compose(photos, { without }),
    note: { kind: 'mended', value, reason: 'it belonged to nobody' },
  };
};

function joinMarks({ width, height, factor }: JudgedPicture, marks: readonly ReducedPlane[]): ReducedPlane {
  const data = Float32Array.from({ length: width * height }, (_, i) =>
    Math.max(...marks.map((mark) => mark.data[i]!)),
  );
  return { width, height, factor, data };
}

const cutAgain: Rung = async (_, __, { compose, cutWithOutlines }) => {
  if (!cutWithOutlines) return null;
  const photos = await cutWithOutlines();
  return {
    photos,
    composite: await compose(photos),
    note: { kind: 'mended', value: 'people cut out again', reason: 'their first outlines were doubtful' },
  };
};

/** Shows people down to above what is wrong, where that is below their shoulders. */
const frameCloser: Rung = async ({ composite: { placed }, reasons }, photos, { compose }) => {
  const [only, ...others] = placed;
  const [photo] = photos;
  if (!only || !photo || others.length > 0 || photos.length > 1) return null;
  const { scale, y } = only.placement;
  const tops = reasons.flatMap(({ regions }) => regions.map((region) => (region.y - y) / scale));
  const sureTo = Math.min(...tops, photo.silhouette.sureTo ?? Infinity);
  const shoulders = photo.faces.map((face) => pointOf(face, 152).y + headAndShoulders * face.height);
  if (sureTo < Math.max(...shoulders)) return null;
  const shorter = [{ ...photo, silhouette: { ...photo.silhouette, sureTo } }];
  return {
    photos: shorter,
    composite: await compose(shorter),
    note: { kind: 'framing', value: 'closer', reason: 'the outline further down is doubtful' },
  };
};
