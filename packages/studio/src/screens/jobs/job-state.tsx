import type { JobListEntry } from '@guise/contract/jobs.ts';
import { stateOf, stateWords } from './job-words.ts';

const dots = {
  queued: 'border border-ink-soft',
  running: 'bg-ink animate-pulse',
  completed: 'bg-good',
  failed: 'bg-lost',
  cancelled: 'bg-ink-soft',
} as const;

/** A word and a dot. */
export function JobState({ job }: { job: Pick<JobListEntry, 'status' | 'progress' | 'cancelled'> }) {
  const state = stateOf(job);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className={`size-2 rounded-full ${dots[state]}`} />
      {stateWords[state]}
      {state === 'running' && job.progress > 0 && ` ${Math.round(job.progress * 100)} %`}
    </span>
  );
}
