import type { Note } from '@guise/contract/notes.ts';
import type { Window } from '../pixels/resample.ts';
import type { FlowFinder } from './frame-flow.ts';
import { cropGuide } from './keyframe.ts';
import { goodPair, judgePair, worstPair } from './pair-judge.ts';
import { type DrawnShot, refuseShot } from './shot.ts';

export interface ChosenShots {
  shots: DrawnShot[];
  ignored: Note[];
}

const tooFar = 'people moved too far from where they are in the shot before it';

/**
 * The shots between which motion looks right. Each is compared with the one before it that is kept. Where only one is
 * left by the strict limit, two that are not quite as near still make a clip.
 */
export async function chooseShots(
  drawn: readonly DrawnShot[],
  window: Window,
  find: FlowFinder,
): Promise<ChosenShots> {
  const guides = new Map(drawn.map((shot) => [shot, cropGuide(shot.guide, window)]));
  const known = new Map<string, Promise<number>>();
  const judge = (a: DrawnShot, b: DrawnShot): Promise<number> => {
    const key = `${a.index} ${b.index}`;
    const judged = known.get(key) ?? judgePair(find, guides.get(a)!, guides.get(b)!, window);
    known.set(key, judged);
    return judged;
  };
  let best: DrawnShot[] = [];
  for (const limit of [goodPair, worstPair]) {
    for (let start = 0; start < drawn.length - 1 && best.length < drawn.length - start; start++) {
      const kept = await chain(drawn.slice(start), limit, judge);
      if (kept.length > best.length) best = kept;
    }
    if (best.length > 1) break;
  }
  const ignored = drawn.filter((shot) => !best.includes(shot)).map(({ index }) => refuseShot(index, tooFar));
  return { shots: best, ignored };
}

async function chain(
  [first, ...others]: readonly DrawnShot[],
  limit: number,
  judge: (a: DrawnShot, b: DrawnShot) => Promise<number>,
): Promise<DrawnShot[]> {
  const kept = [first!];
  for (const shot of others) if ((await judge(kept.at(-1)!, shot)) <= limit) kept.push(shot);
  return kept;
}
