import { type CheckOutcome, outcomeOf } from '@guise/contract/filter-details.ts';
import { AppError } from '../errors.ts';

const checksWaiting = () =>
  new AppError('CHECKS_WAITING', 'The checks of this draft have not ended. Wait for them first.');
const notChecked = () => new AppError('CHECKS_WAITING', 'This draft has not been checked. Check it first.');
const checksFailed = (sentence: string | undefined) =>
  new AppError('CHECKS_FAILED', `This draft cannot go live. ${sentence ?? 'Change it and save it again.'}`);

/** Throws where what was saved must not go live: its checks failed, or, unless `unchecked`, they have not ended. */
export function assertChecked(
  checks: readonly { kind: string; outcome: CheckOutcome; sentences: readonly string[] }[],
  unchecked: boolean,
): void {
  const outcome = outcomeOf(checks);
  if (outcome === 'failed') {
    // What is wrong with the version itself comes before the photos.
    const failed = checks.find((check) => check.outcome === 'failed');
    throw checksFailed(failed?.sentences[0]);
  }
  if (!unchecked && outcome === null) throw notChecked();
  if (!unchecked && outcome === 'waiting') throw checksWaiting();
}
