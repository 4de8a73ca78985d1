import type { Note } from '@guise/contract/notes.ts';
import type { Size } from '../pixels/plane.ts';
import type { FlowFinder } from './frame-flow.ts';
import { goodPair, judgePair, worstPair } from './pair-judge.ts';
import { refuseShot } from './shot.ts';

/** A shot as the network sees it, reduced. */
export interface ReducedShot {
  index: number;
  /** RGB from 0 to 1, plane after plane. */
  planes: Float32Array;
}

export interface ChosenShots<Kept> {
  shots: Kept[];
  ignored: Note[];
}

const tooFar = 'people moved too far from where they are in the shot before it';

/**
 * The shots between which motion looks right. Each is compared with the one before it that is kept. Where only one is
 * left by the strict limit, two that are not quite as near still make a clip.
 */
export async function chooseShots<Kept extends ReducedShot>(
  all: readonly Kept[],
  size: Size,
  find: FlowFinder,
): Promise<ChosenShots<Kept>> {
  const known = new Map<string, Promise<number>>();
  const judge = (a: ReducedShot, b: ReducedShot): Promise<number> => {
    const key = `${a.index} ${b.index}`;
    const judged = known.get(key) ?? judgePair(find, a.planes, b.planes, size);
    known.set(key, judged);
    return judged;
  };
  let best = all.slice(0, 1);
  for (const limit of [goodPair, worstPair]) {
    for (let start = 0; start < all.length - 1 && best.length < all.length - start; start++) {
      const kept = await chain(all.slice(start), limit, judge);
      if (kept.length > best.length) best = kept;
    }
    if (best.length > 1) break;
  }
  const ignored = all.filter((shot) => !best.includes(shot)).map(({ index }) => refuseShot(index, tooFar));
  return { shots: best, ignored };
}

async function chain<Kept extends ReducedShot>(
  [first, ...others]: readonly Kept[],
  limit: number,
  judge: (a: Kept, b: Kept) => Promise<number>,
): Promise<Kept[]> {
  const kept = [first!];
  for (const shot of others) if ((await judge(kept.at(-1)!, shot)) <= limit) kept.push(shot);
  return kept;
}
