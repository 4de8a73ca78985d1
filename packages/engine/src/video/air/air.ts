import { randomFrom } from '../../pixels/random.ts';
import type { Air, AirSpace } from './air-space.ts';
import { flyersIn } from './flying.ts';
import { discsOf } from './soft-discs.ts';

/** What is in the air, by the strength of each effect, the same for the same seed; null when there is nothing. */
export function airOf(effects: Partial<Record<string, number>>, space: AirSpace, seed: number): Air | null {
  const all = [
    discsOf(effects, space.size, seed),
    flyersIn(effects, space, (name) => randomFrom(seed ^ hashOf(name))),
  ].filter((air) => air !== null);
  if (all.length === 0) return null;
  return (...at) => {
    for (const air of all) air(...at);
  };
}

/** So that two effects of one clip do not go the same ways (FNV-1a). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
