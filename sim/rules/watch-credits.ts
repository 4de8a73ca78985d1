import type { Change, Handlers } from './change-log.ts';
import type { ObservedState } from './observed-state.ts';
import { RuleBroken } from './violation.ts';

/** Rules of credits and of what limits them. */
export function watchCredits({ jobs, accounts }: ObservedState): Handlers {
  const account = (id: string) => {
    const known = accounts.get(id) ?? { balance: 0, entries: 0 };
    accounts.set(id, known);
    return known;
  };
  /** Entries that came before the row of their job. */
  const early = new Map<string, number>();
  return {
    'job-new'({ id }) {
      jobs.get(id)!.net += early.get(id) ?? 0;
      early.delete(id);
    },
    balance({ id, balance }) {
      account(id).balance = balance;
      if (balance < 0) throw new RuleBroken('credits', `${id} has a balance of ${balance}`);
    },
    ledger({ account: id, amount, job }) {
      account(id).entries += amount;
      if (job === null) return;
      const seen = jobs.get(job);
      if (seen) seen.net += amount;
      else early.set(job, (early.get(job) ?? 0) + amount);
    },
    event: ({ id, spent, budget }) => checkLimit(`event ${id}`, spent, budget),
    key: ({ id, spent, budget }) => checkLimit(`key ${id}`, spent, budget),
    link: ({ id, runs_used, runs }) => checkLimit(`link ${id}`, runs_used, runs),
    guest: ({ id, pictures, tries }) =>
      checkLimit(`guest ${id}`, pictures, Math.min(tries, picturesPerGuest)),
  };
}

/** As `workload.ts` makes the event. */
const picturesPerGuest = 3;

function checkLimit(what: string, used: number, limit: number | null): void {
  if (used < 0 || (limit !== null && used > limit))
    throw new RuleBroken('budget', `${what} has used ${used} of ${limit}`);
}

/** Holds after every commit: balances are the sums of their entries, and jobs cost their price or nothing. */
export function checkCredits(changes: readonly Change[], { jobs, accounts }: ObservedState): void {
  for (const change of changes) {
    if (change.kind === 'balance' || change.kind === 'ledger') {
      const id = change.kind === 'balance' ? change.id : change.account;
      const { balance, entries } = accounts.get(id)!;
      if (balance !== entries)
        throw new RuleBroken('credits', `${id} has ${balance}, and its entries add up to ${entries}`);
    }
    if (change.kind !== 'job-new' && change.kind !== 'job') continue;
    const { id, state, net, price } = jobs.get(change.id)!;
    const wanted = state === 'failed' ? 0 : -price;
    if (net !== wanted)
      throw new RuleBroken('credits', `${id} is ${state}, costs ${price}, and ${-net} were charged for it`);
  }
}
