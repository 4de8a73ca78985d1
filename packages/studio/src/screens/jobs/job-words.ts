import { familyTitles } from '@guise/contract/families/family-titles.ts';
import type { JobListEntry, JobState } from '@guise/contract/jobs.ts';

/** The state behind a status word. Some families say IN_QUEUE until they are done: what has progress runs. */
export function stateOf({ status, progress }: Pick<JobListEntry, 'status' | 'progress'>): JobState {
  if (status === 'COMPLETED') return 'completed';
  if (status === 'FAILED') return 'failed';
  return status === 'PROCESSING' || status === 'IN_PROGRESS' || status === 'RUNNING' || progress > 0
    ? 'running'
    : 'queued';
}

export const hasEnded = (job: JobListEntry) => job.status === 'COMPLETED' || job.status === 'FAILED';

export const stateWords: Record<JobState, string> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Done',
  failed: 'Failed',
};

/** What a family is called; a former one by the name it had. */
export function familyTitle(family: string): string {
  return (familyTitles as Record<string, string>)[family] ?? family;
}

/** What a job is called: its filter, or what it makes where it has none. */
export function jobTitle(job: Pick<JobListEntry, 'filter_name' | 'filter' | 'family'>): string {
  return (
    job.filter_name ?? (job.filter === null ? familyTitle(job.family) : `Filter ${shortRef(job.filter)}`)
  );
}

/** A UUID is shortened, an integer is not. */
export const shortRef = (ref: string) => (ref.length > 12 ? `${ref.slice(0, 8)}…` : ref);

/** From acceptance to the end. */
export function tookMs(job: Pick<JobListEntry, 'created_at' | 'finished_at'>): number | null {
  return job.finished_at === null ? null : Date.parse(job.finished_at) - Date.parse(job.created_at);
}

export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
