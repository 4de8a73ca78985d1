import type { Note } from '@guise/contract/notes.ts';
import type { SceneComposite } from '../compose/compose.ts';
import type { ComposeOptions } from '../compose/prepared-scene.ts';
import { pointOf } from '../faces/face-outline.ts';
import { headAndShoulders } from '../matting/confidence.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { checks, type Judgement, judgeComposition } from './judge.ts';
import { prepareJudging } from './judged-picture.ts';
import { markLooseParts } from './loose-parts.ts';

/** What a picture that came out badly can be made again with. */
export interface Remaking {
  /** Composes these people as before, but for these options. */
  compose(photos: readonly PeoplePhoto[], changes?: Pick<ComposeOptions, 'without'>): Promise<SceneComposite>;
  /** Cuts everybody out again with outlines; null where there is no model for it, or they had a say already. */
  cutWithOutlines: (() => Promise<PeoplePhoto[]>) | null;
}

/** A picture, what was found of it, and what was done to make it better. */
export interface JudgedComposite {
  composite: SceneComposite;
  judgement: Judgement;
  mended: Note[];
}

/** A composition that may be taken instead of an earlier one. */
interface Attempt {
  photos: readonly PeoplePhoto[];
  composite: SceneComposite;
  note: Note;
}

type Rung = (
  now: JudgedComposite,
  photos: readonly PeoplePhoto[],
  remaking: Remaking,
) => Promise<Attempt | null>;

/**
 * Judges a composition. One that is bad is made again, each time by slower means, as long as that makes it better and it
 * is still bad. One that is not bad stays as it is.
 */
export async function judgeAndMend(
  photos: readonly PeoplePhoto[],
  composite: SceneComposite,
  remaking: Remaking,
): Promise<JudgedComposite> {
  let people = photos;
  let now: JudgedComposite = { composite, judgement: judgeComposition(composite), mended: [] };
  for (const climb of [dropLooseParts, cutAgain, frameCloser] satisfies Rung[]) {
    if (now.judgement.quality !== 'bad') break;
    const attempt = await climb(now, people, remaking);
    if (!attempt) continue;
    const judgement = judgeComposition(attempt.composite);
    if (badnessOf(judgement) >= badnessOf(now.judgement)) continue;
    now = { composite: attempt.composite, judgement, mended: [...now.mended, attempt.note] };
    people = attempt.photos;
  }
  return now;
}

/** How far beyond their limits the measures of a picture are, together: 0 for a good one. */
function badnessOf({ reasons }: Judgement): number {
  const limitOf = (name: string) => checks.find((check) => check.name === name)!.limits.fair;
  return reasons.reduce((sum, { check, measure }) => sum + measure / limitOf(check), 0);
}

async function dropLooseParts(
  { composite, judgement }: JudgedComposite,
  photos: readonly PeoplePhoto[],
  { compose }: Remaking,
): Promise<Attempt | null> {
  if (!judgement.reasons.some(({ check }) => check === 'loose part')) return null;
  const without = markLooseParts(prepareJudging(composite));
  return {
    photos,
    composite: await compose(photos, { without }),
    note: { kind: 'mended', value: 'a loose part is left out', reason: 'it belonged to nobody' },
  };
}

async function cutAgain(
  _: JudgedComposite,
  __: readonly PeoplePhoto[],
  { compose, cutWithOutlines }: Remaking,
): Promise<Attempt | null> {
  if (!cutWithOutlines) return null;
  const photos = await cutWithOutlines();
  return {
    photos,
    composite: await compose(photos),
    note: { kind: 'mended', value: 'people cut out again', reason: 'their first outlines were doubtful' },
  };
}

/** Shows people down to above what is wrong, where that is below their shoulders. */
async function frameCloser(
  { composite: { placed }, judgement }: JudgedComposite,
  photos: readonly PeoplePhoto[],
  { compose }: Remaking,
): Promise<Attempt | null> {
  const [only, ...others] = placed;
  const [photo] = photos;
  if (!only || !photo || others.length > 0 || photos.length > 1) return null;
  const { scale, y } = only.placement;
  const tops = judgement.reasons.flatMap(({ regions }) => regions.map((region) => (region.y - y) / scale));
  const sureTo = Math.min(...tops, photo.silhouette.sureTo ?? Infinity);
  const shoulders = photo.faces.map((face) => pointOf(face, 152).y + headAndShoulders * face.height);
  if (sureTo < Math.max(...shoulders)) return null;
  const shorter = [{ ...photo, silhouette: { ...photo.silhouette, sureTo } }];
  return {
    photos: shorter,
    composite: await compose(shorter),
    note: { kind: 'framing', value: 'closer', reason: 'the outline further down is doubtful' },
  };
}
