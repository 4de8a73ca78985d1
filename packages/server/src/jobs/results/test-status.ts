import type { TestStatus } from '@guise/contract/qa-runs.ts';
import type { JobRow } from '../../store/schema.ts';
import { linkKeyOf } from './result-keys.ts';

const words = { queued: 'QUEUED', running: 'RUNNING', completed: 'COMPLETED', failed: 'FAILED' } as const;

type TestedJob = Pick<JobRow, 'state' | 'result_key' | 'expires_at'>;

/** What became of a job, in the same words for all families. A job that was erased counts as expired. */
export function testStatusOf(job: TestedJob | undefined, now: number): TestStatus {
  if (!job) return 'EXPIRED';
  return job.state === 'completed' && !hasResult(job, now) ? 'EXPIRED' : words[job.state];
}

/** The key that a link to the job's picture is signed for; null while or when there is none. */
export function pictureKeyOf(job: TestedJob | undefined, now: number): string | null {
  return job && hasResult(job, now) ? linkKeyOf(job.result_key!) : null;
}

const hasResult = ({ result_key, expires_at }: TestedJob, now: number) =>
  result_key !== null && expires_at > now;
