import { GuiseError } from '@guise/client/guise-error.ts';
import type { JobDetail } from '@guise/contract/job-details.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useLocation, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { fullTime } from '../../ui/format-time.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { JobActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobResult } from './job-result.tsx';
import { JobState } from './job-state.tsx';
import { JobTimes } from './job-times.tsx';
import { familyTitle, jobTitle } from './job-words.ts';

export const Route = createLazyRoute('/studio/jobs/$id')({ component: JobPage });

/** Everything about one job. */
function JobPage() {
  const { id } = useParams({ from: '/shell/studio/jobs/$id' });
  const guise = useGuise();
  const queries = useQueryClient();
  const queryKey = ['job', id];
  const cameFromList = useLocation({ select: ({ state }) => state.cameFromList === true });
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: ({ signal }) => guise.jobs.get(id, signal),
    staleTime: 0,
  });
  useJobChange((changed) => {
    if (changed.id !== id) return;
    const old = queries.getQueryData<JobDetail>(queryKey);
    queries.setQueryData<JobDetail>(queryKey, (known) => known && { ...known, ...changed });
    // Progress comes often, and changes nothing else.
    if (old?.status !== changed.status) void refetch();
  });

  return (
    <div className="flex min-h-full flex-col">
      <div className="px-6 pt-4 max-md:px-4">
        <Link
          to="/studio/jobs"
          // The list as it was left.
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || !cameFromList) return;
            event.preventDefault();
            history.back();
          }}
          className="-ml-1 inline-flex min-h-9 items-center gap-1 text-small text-ink-soft hover:text-ink"
        >
          <ChevronLeft size={16} aria-hidden />
          {say('Jobs')}
        </Link>
      </div>
      {job ? (
        <Job job={job} onChanged={() => void refetch()} />
      ) : error instanceof GuiseError && error.status === 404 ? (
        <EmptyState
          title={say('Job not found')}
          text={say('It was erased, or it belongs to another account.')}
        />
      ) : (
        error && (
          <div className="px-6 max-md:px-4">
            <Problem error={error} onRetry={() => void refetch()} />
          </div>
        )
      )}
    </div>
  );
}

function Job({ job, onChanged }: { job: JobDetail; onChanged(): void }) {
  return (
    <div className="grid flex-1 gap-x-8 gap-y-6 px-6 pb-8 max-md:px-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <JobResult job={job} />
      <div className="flex min-w-0 flex-col gap-6">
        <div>
          <h1 className="break-words">{jobTitle(job)}</h1>
          <p className="text-ink-soft">{familyTitle(job.family)}</p>
          <p className="mt-2">
            <JobState job={job} />
            <span className="text-ink-soft">
              {say(', submitted {time}', { time: fullTime(job.created_at) })}
            </span>
          </p>
          {job.error && !job.cancelled && <p className="mt-2 text-lost">{jobSentence(job.error)}</p>}
        </div>
        <JobActions job={job} onChanged={onChanged} />
        <JobTimes job={job} />
        <JobFacts job={job} />
      </div>
    </div>
  );
}
