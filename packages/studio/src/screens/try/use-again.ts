import type { JobDetail } from '@guise/contract/job-details.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { jobTitle } from '../jobs/job-words.ts';
import { choiceOfJob } from './choice-of-job.ts';
import type { RunChoice } from './run-choice.ts';
import { useWallFilters } from './use-wall-filters.ts';

/** Chooses what a job was made with: one that is looked at, and once that which the address names, `/?again=…`. */
export function useAgain(isReady: boolean, onChoice: (choice: Partial<RunChoice>) => void) {
  const toast = useToast();
  const { filters } = useWallFilters();
  const again = (job: JobDetail) => {
    const chosen = choiceOfJob(job, filters);
    if (!chosen)
      return void toast.fail(say('What this was made with is gone: its filter, or the job itself.'));
    onChoice(chosen);
    toast.tell(say('Chosen as for {title}. Change what you like.', { title: jobTitle(job) }));
  };
  const asked = useAskedJob();
  const taken = useRef('');
  useEffect(() => {
    if (!isReady || filters.length === 0 || !asked || taken.current === asked.id) return;
    taken.current = asked.id;
    again(asked);
  });
  return again;
}

function useAskedJob(): JobDetail | undefined {
  const guise = useGuise();
  const search: { again?: unknown } = useSearch({ strict: false });
  const id = typeof search.again === 'string' ? search.again : '';
  const { data } = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => guise.jobs.get(id, signal),
    enabled: id !== '',
  });
  return data;
}
