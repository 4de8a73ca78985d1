import type { JobList, JobListEntry } from '@guise/contract/jobs.ts';
import type { InfiniteData } from '@tanstack/react-query';
import { stateOf } from './job-words.ts';
import type { JobQuery } from './jobs-search.ts';

/** The pages of a list that were read, newest jobs first: ids grow with time. */
export type JobPages = InfiniteData<JobList, string | undefined>;

/** Whether a job belongs into the list of a query. */
export function fits(job: JobListEntry, query: JobQuery): boolean {
  return (
    (query.family === undefined || job.family === query.family) &&
    (query.filter === undefined || job.filter === query.filter) &&
    (query.key_id === undefined || job.key_id === query.key_id) &&
    (query.state === undefined || stateOf({ ...job, cancelled: false }) === query.state) &&
    (query.cancelled === undefined || job.cancelled === query.cancelled) &&
    (query.from === undefined || job.created_at >= query.from) &&
    (query.to === undefined || job.created_at < query.to)
  );
}

/** Whether a job stands where the list was read to, so that it is missing if it is not there. */
export function isInReach(data: JobPages, { id }: JobListEntry): boolean {
  const last = data.pages.at(-1);
  if (!last || last.next_cursor === null) return true;
  return id > last.next_cursor;
}

/** The pages with newer versions of jobs they hold. Pages and jobs that are the same stay the same objects. */
export function replaceJobs(data: JobPages, changed: ReadonlyMap<string, JobListEntry>): JobPages {
  return mapPages(data, (jobs) =>
    jobs.some(({ id }) => changed.has(id)) ? jobs.map((job) => changed.get(job.id) ?? job) : jobs,
  );
}

export function removeJobs(data: JobPages, isGone: (job: JobListEntry) => boolean): JobPages {
  return mapPages(data, (jobs) => (jobs.some(isGone) ? jobs.filter((job) => !isGone(job)) : jobs));
}

/** The pages with more jobs, each at its place. */
export function insertJobs(data: JobPages, added: readonly JobListEntry[]): JobPages {
  if (added.length === 0) return data;
  const lastPage = data.pages.length - 1;
  return mapPages(data, (jobs, at) => {
    const upper = at === 0 ? '~' : (data.pages[at - 1]!.jobs.at(-1)?.id ?? '~');
    const lower = at === lastPage ? '' : (jobs.at(-1)?.id ?? upper);
    const here = added.filter(({ id }) => id < upper && id >= lower);
    return here.length === 0 ? jobs : [...jobs, ...here].sort((a, b) => (a.id < b.id ? 1 : -1));
  });
}

function mapPages(data: JobPages, change: (jobs: JobListEntry[], at: number) => JobListEntry[]): JobPages {
  const pages = data.pages.map((page, at) => {
    const jobs = change(page.jobs, at);
    return jobs === page.jobs ? page : { ...page, jobs };
  });
  return pages.every((page, at) => page === data.pages[at]) ? data : { ...data, pages };
}
