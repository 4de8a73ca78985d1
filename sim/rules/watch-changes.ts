import type { FaultTimes } from '../inject-faults.ts';
import type { Installation } from '../simulation/installation.ts';
import type { Change, ChangeReader, Handlers } from './change-log.ts';
import type { ObservedState } from './observed-state.ts';
import { checkCredits, watchCredits } from './watch-credits.ts';
import { watchDeliveries } from './watch-deliveries.ts';
import { watchFairness } from './watch-fairness.ts';
import { watchJobs } from './watch-jobs.ts';

export interface Watch {
  observed: ObservedState;
  /** Holds what a process has committed since the last call against the rules. Throws `RuleBroken`. */
  collect(by: string): void;
}

/** The rules that hold after every commit. */
export function watchChanges(
  installation: Installation,
  { reader, faults }: { reader: ChangeReader; faults: FaultTimes },
): Watch {
  const observed: ObservedState = { jobs: new Map(), unended: 0, accounts: new Map() };
  const watchers: Handlers[] = [
    watchJobs(installation, observed, { reader, faults }),
    watchCredits(observed),
    watchDeliveries(installation, faults),
    ...(installation.isEmbedded ? [] : [watchFairness(installation, observed)]),
  ];
  const apply = <Kind extends Change['kind']>(change: Extract<Change, { kind: Kind }>, by: string) => {
    for (const handlers of watchers)
      (handlers[change.kind] as ((change: Change, by: string) => void) | undefined)?.(change, by);
  };
  return {
    observed,
    collect(by) {
      const changes = reader.read();
      for (const change of changes) apply(change, by);
      checkCredits(changes, observed);
    },
  };
}
