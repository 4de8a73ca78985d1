import type { JobListEntry, JobListQuery } from '@guise/contract/jobs.ts';
import { afterEveryId, firstIdAt } from '../ids.ts';
import { entryOf, type LinkToBlob } from '../jobs/read.ts';
import type { Db } from '../store/db.ts';
import {
  type JobRange,
  listFailedJobs,
  listJobsBetween,
  listJobsOfFamily,
  listJobsOfFilter,
  listJobsOfKey,
  listQueuedJobs,
  listRunningJobs,
} from '../store/reports/job-list-records.ts';
import type { JobRow } from '../store/schema.ts';

const batch = 200;
/** A page looks at so many jobs at most. Where few of them fit, it is short and its cursor leads on. */
const mostExamined = 2000;

/** The caller's jobs that fit the query, newest first. */
export async function readJobs(
  db: Db,
  accountId: string,
  query: JobListQuery,
  linkTo: LinkToBlob,
): Promise<{ jobs: JobListEntry[]; next_cursor: string | null }> {
  const found: JobRow[] = [];
  const since = query.from === undefined ? '' : firstIdAt(Date.parse(query.from));
  let before = query.to === undefined ? afterEveryId : firstIdAt(Date.parse(query.to));
  if (query.cursor !== undefined && query.cursor < before) before = query.cursor;
  const limit = Math.max(query.limit, narrows(query) ? batch : 0);
  for (let examined = 0; examined < mostExamined; examined += limit) {
    const rows = await listBatch(db, query, { account_id: accountId, since, before, limit });
    for (const job of rows) {
      if (!fits(job, query)) continue;
      found.push(job);
      if (found.length === query.limit) return pageOf(found, job.id, linkTo);
    }
    if (rows.length < limit) return pageOf(found, null, linkTo);
    before = rows.at(-1)!.id;
  }
  return pageOf(found, before, linkTo);
}

function pageOf(jobs: readonly JobRow[], next_cursor: string | null, linkTo: LinkToBlob) {
  return { jobs: jobs.map((job) => entryOf(job, linkTo)), next_cursor };
}

/** By the condition that fewest jobs are likely to fit; the others are checked one by one. */
function listBatch(db: Db, query: JobListQuery, range: JobRange): Promise<JobRow[]> {
  const { state, filter, key_id, family } = query;
  if (state === 'queued') return db.all(listQueuedJobs, range);
  if (state === 'running') return db.all(listRunningJobs, range);
  if (state === 'failed') return db.all(listFailedJobs, range);
  if (filter !== undefined) return db.all(listJobsOfFilter, { ...range, filter });
  if (key_id !== undefined) return db.all(listJobsOfKey, { ...range, key_id });
  if (family !== undefined) return db.all(listJobsOfFamily, { ...range, family });
  return db.all(listJobsBetween, range);
}

const narrows = ({ state, cancelled, filter, key_id, family }: JobListQuery) =>
  (state ?? cancelled ?? filter ?? key_id ?? family) !== undefined;

function fits(job: JobRow, { state, cancelled, filter, key_id, family }: JobListQuery): boolean {
  return (
    (state === undefined || job.state === state) &&
    (cancelled === undefined || (job.cancelled === 1) === cancelled) &&
    (filter === undefined || job.filter_ref === filter) &&
    (key_id === undefined || job.key_id === key_id) &&
    (family === undefined || job.family === family)
  );
}
