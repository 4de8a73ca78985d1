import type { FaultTimes } from '../inject-faults.ts';
import type { Installation } from '../world/installation.ts';
import type { Books } from './books.ts';
import type { Change, ChangeReader, Handlers } from './change-log.ts';
import { checkCredits, watchCredits } from './watch-credits.ts';
import { watchDeliveries } from './watch-deliveries.ts';
import { watchFairness } from './watch-fairness.ts';
import { watchJobs } from './watch-jobs.ts';

export interface Watch {
  books: Books;
  /** Holds what a process has committed since the last call against the rules. Throws `RuleBroken`. */
  collect(by: string): void;
}

/** The rules that hold after every commit. */
export function watchChanges(
  installation: Installation,
  { reader, faults }: { reader: ChangeReader; faults: FaultTimes },
): Watch {
  const books: Books = { jobs: new Map(), unended: 0, accounts: new Map() };
  const watchers: Handlers[] = [
    watchJobs(installation, books, { reader, faults }),
    watchCredits(books),
    watchDeliveries(installation, faults),
    ...(installation.isEmbedded ? [] : [watchFairness(installation, books)]),
  ];
  const apply = <Kind extends Change['kind']>(change: Extract<Change, { kind: Kind }>, by: string) => {
    for (const handlers of watchers)
      (handlers[change.kind] as ((change: Change, by: string) => void) | undefined)?.(change, by);
  };
  return {
    books,
    collect(by) {
      const changes = reader.read();
      for (const change of changes) apply(change, by);
      checkCredits(changes, books);
    },
  };
}
