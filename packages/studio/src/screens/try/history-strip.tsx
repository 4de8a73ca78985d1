import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { creditsText } from '../../ui/credits-text.ts';
import { shortTime } from '../../ui/format-time.ts';
import { say } from '../../words/say.ts';
import { hasEnded, jobTitle, stateOf, stateWords } from '../jobs/job-words.ts';

const queryKey = ['tried'];
/** Of the account's newest jobs, those that were submitted here: most others are of keys. An evening at a booth makes thousands. */
const pageSize = 200;
const mostPages = 5;
const shownAtMost = 30;

interface HistoryStripProps {
  /** The jobs that are looked at. */
  shown: readonly string[];
  onShow(id: string): void;
}

/** Everything that was tried, on any device, the newest first. */
export function HistoryStrip({ shown, onShow }: HistoryStripProps) {
  const { jobs, isFirst } = useTriedJobs();
  const { me } = useSession();
  if (!jobs) return null;
  if (jobs.length === 0) return isFirst && me.scopes.includes('operator') ? <FirstSteps /> : null;
  return (
    <section aria-label={say('Made before')} className="shrink-0 border-t px-5 py-3 max-md:px-4">
      <h2 className="mb-2 text-small font-medium text-ink-soft">{say('Made before')}</h2>
      <ul className="-m-1 flex gap-3 overflow-x-auto p-1">
        {jobs.map((job) => (
          <li key={job.id} className="w-20 shrink-0">
            <button
              type="button"
              aria-pressed={shown.includes(job.id)}
              title={`${jobTitle(job)}, ${shortTime(job.created_at)}`}
              onClick={() => onShow(job.id)}
              className="block w-full text-left"
            >
              <Thumbnail job={job} isShown={shown.includes(job.id)} />
              <span className="mt-1 block truncate text-small">{jobTitle(job)}</span>
              <span className="block truncate text-small text-ink-soft">
                {job.status === 'FAILED' ? say('returned') : creditsText(job.credits)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For whoever comes from another machine, or sees this for the first time. */
function FirstSteps() {
  return (
    <p className="shrink-0 border-t px-5 py-3 text-small text-ink-soft max-md:px-4">
      {say('Nothing has been made here yet. Did you use Guise on another machine?')}{' '}
      <Link
        to="/studio/operator/{-$part}"
        params={{ part: 'backups' }}
        className="text-ink underline underline-offset-2"
      >
        {say('Restore a backup')}
      </Link>
    </p>
  );
}

function Thumbnail({ job, isShown }: { job: JobListEntry; isShown: boolean }) {
  const outline = isShown ? 'outline-2 outline-offset-2 outline-accent' : '';
  if (job.thumbnail_url)
    return (
      <img
        src={job.thumbnail_url}
        alt=""
        loading="lazy"
        className={`aspect-square w-full rounded-card bg-panel object-cover ${outline}`}
      />
    );
  const isLost = job.status === 'FAILED' && !job.cancelled;
  return (
    <span
      className={`grid aspect-square w-full place-items-center rounded-card bg-panel text-small ${isLost ? 'text-lost' : 'text-ink-soft'} ${outline}`}
    >
      {stateWords[stateOf(job)]}
    </span>
  );
}

/** Read from the server, so that another device and a page that was loaded anew show the same. */
function useTriedJobs(): { jobs: JobListEntry[] | undefined; isFirst: boolean } {
  const guise = useGuise();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readTried(guise, signal),
    staleTime: 0,
  });
  useJobChange((changed) => {
    const known = queries.getQueryData<JobListEntry[]>(queryKey)?.find(({ id }) => id === changed.id);
    // Progress comes often, and is shown by the result.
    if (!known || known.status !== changed.status || hasEnded(changed))
      queries.setQueryData<JobListEntry[]>(queryKey, (jobs) => jobs && withJob(jobs, changed));
  });
  return { jobs: data?.filter(isTried).slice(0, shownAtMost), isFirst: data?.length === 0 };
}

const isTried = ({ key_id, quick_test_link_id }: JobListEntry) =>
  key_id === null && quick_test_link_id === null;

/** As many of the newest jobs as it takes to fill the strip. */
async function readTried(guise: GuiseApi, signal: AbortSignal): Promise<JobListEntry[]> {
  const found: JobListEntry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { jobs, next_cursor } = await guise.jobs.list({ limit: pageSize, cursor }, signal);
    found.push(...jobs);
    if (next_cursor === null || found.filter(isTried).length >= shownAtMost) break;
    cursor = next_cursor;
  }
  return found;
}

function withJob(jobs: readonly JobListEntry[], changed: JobListEntry): JobListEntry[] {
  const others = jobs.filter(({ id }) => id !== changed.id);
  return [changed, ...others].sort((a, b) => (a.id < b.id ? 1 : -1));
}
