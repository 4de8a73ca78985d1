import type { SeedThreads } from './run-seeds.ts';
import type { RunOutcome, SeedRequest } from './seed-messages.ts';

/** A failing run with as few actions and faults as were found to break the same rule. */
export interface Shrunk {
  only: readonly string[];
  outcome: RunOutcome;
  /** How many runs that took. */
  runs: number;
}

/** Leaves out halves, quarters and so on of what happens in a failing run, as long as the same rule is broken. */
export async function shrink(
  { play }: Pick<SeedThreads, 'play'>,
  request: SeedRequest,
  failing: RunOutcome,
): Promise<Shrunk> {
  let kept = failing.parts;
  let outcome = failing;
  let runs = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      const tried = await play({ ...request, only: fewer });
      runs++;
      if (tried.violation?.rule === failing.violation?.rule) {
        kept = fewer;
        outcome = tried;
      } else {
        at += size;
      }
    }
  }
  return { only: kept, outcome, runs };
}
