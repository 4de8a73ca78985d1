import { familyOf } from '@guise/contract/families/families.ts';
import type { FaultTimes } from '../inject-faults.ts';
import type { Fault } from '../scenario.ts';
import type { Installation } from '../simulation/installation.ts';
import type { ObservedState } from './observed-state.ts';
import { RuleBroken } from './violation.ts';

const checkEveryMs = 5000;
/** Stopping what does not stop, a lost lease and the next look at it, and a minute for the queue of writes. */
const slackMs = 6000 + 35_000 + 60_000;

/** Neither an engine nor a storage that does not answer lets a worker hold a job for longer. */
const excused: readonly Fault['kind'][] = [
  'node dies',
  'node pauses',
  'node is restarted',
  'database',
  'clock jumps',
];

/** Holds every few seconds: no run takes longer than it may, apart from what faults took of its time. */
export function checkDeadlines(
  { simulation }: Installation,
  { jobs }: ObservedState,
  faults: FaultTimes,
): () => void {
  const { scheduler } = simulation;
  let checkedAt = 0;
  return () => {
    if (scheduler.now < checkedAt + checkEveryMs) return;
    checkedAt = scheduler.now;
    for (const { id, state, family, claimedAt, worker } of jobs.values()) {
      if (state !== 'running' || claimedAt === null) continue;
      const took = scheduler.now - claimedAt;
      const limit = familyOf(family).timeLimitMs + slackMs;
      if (took <= limit + 2 * faults.takenBetween(claimedAt, scheduler.now, excused)) continue;
      const held = `${Math.round(took / 1000)} s`;
      throw new RuleBroken(
        'deadline',
        `${worker?.split(':')[0]} has held ${id} for ${held}, and may for ${limit / 1000} s`,
      );
    }
  };
}
