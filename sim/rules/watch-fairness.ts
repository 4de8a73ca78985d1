import { familyOf } from '@guise/contract/families/families.ts';
import type { Installation } from '../simulation/installation.ts';
import type { Handlers } from './change-log.ts';
import type { ObservedState } from './observed-state.ts';
import { RuleBroken } from './violation.ts';
import { isMadeBy } from './watch-jobs.ts';

/** Jobs of one account that came later and may go first, beside one for each round that the job weighs. */
const slack = 3;

/**
 * Counts, for every job that is claimed for the first time, the jobs of each other account that came after it and went
 * before it, on workers that could have made it.
 */
export function watchFairness(
  { nodes, accountConcurrency }: Installation,
  { jobs }: ObservedState,
): Handlers {
  const firstClaims: { job: string; worker: string; at: number }[] = [];
  const canMake = (worker: string, job: string) =>
    nodes.get(worker)?.spec.abilities.some((ability) => isMadeBy(ability, jobs.get(job)!)) === true;
  /** Those whose account had none waiting before them: the others wait for their own first. */
  const firstOfAccount = new Set<string>();
  return {
    'job-new'({ id, account }) {
      const own = [...jobs.values()].some(
        (job) => job.id !== id && job.account === account && job.state === 'queued',
      );
      if (!own) firstOfAccount.add(id);
    },
    job({ id, to, claim, worker }) {
      if (to !== 'running' || claim !== 1) return;
      const job = jobs.get(id)!;
      const passed = new Map<string, number>();
      for (const other of firstClaims) {
        const { account, acceptedAt } = jobs.get(other.job)!;
        const cameLater = other.at > job.acceptedAt && acceptedAt > job.acceptedAt;
        if (cameLater && account !== job.account && canMake(other.worker, id))
          passed.set(account, (passed.get(account) ?? 0) + 1);
      }
      firstClaims.push({ job: id, worker: worker?.split(':')[0] ?? '', at: job.claimedAt! });
      const most = familyOf(job.family).weight + slack;
      for (const [account, count] of accountConcurrency > 0 || !firstOfAccount.has(id) ? [] : passed)
        if (count > most)
          throw new RuleBroken('fairness', `${count} later jobs of ${account} went before ${id}`);
    },
  };
}
