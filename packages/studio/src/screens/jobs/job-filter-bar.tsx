import { familyTitles } from '@guise/contract/families/family-titles.ts';
import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useQueryClient } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CompactSelect } from '../../ui/compact-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { say } from '../../words/say.ts';
import type { JobPages } from './job-pages.ts';
import { familyTitle, jobTitle, stateWords } from './job-words.ts';
import type { JobFilters, Period } from './jobs-search.ts';
import { useKeyNames } from './use-key-names.ts';

interface JobFilterBarProps {
  filters: JobFilters;
  /** Those in the list: they name the filters that can be chosen. */
  jobs: readonly JobListEntry[];
  onChange(change: JobFilters): void;
}

/** What the list is narrowed to. A phone has it behind a button. */
export function JobFilterBar(props: JobFilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.values(props.filters).filter(Boolean).length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 max-md:hidden">
        <Filters {...props} />
      </div>
      <Button
        className="md:hidden"
        icon={<SlidersHorizontal size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {count > 0 ? say('Filters ({count})', { count }) : say('Filter')}
      </Button>
      <Dialog open={isOpen} title={say('Filter the list')} onClose={() => setIsOpen(false)}>
        <div className="grid gap-3">
          <Filters {...props} className="min-h-10 w-full max-w-none text-base" />
          <Button kind="primary" onClick={() => setIsOpen(false)}>
            {say('Show')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

const any = (label: string) => ({ value: '', label });
const familyOptions = Object.keys(familyTitles).map((value) => ({ value, label: familyTitle(value) }));
const stateOptions = Object.entries(stateWords).map(([value, label]) => ({ value, label }));
const times = [
  any(say('Any time')),
  { value: '1h', label: say('Last hour') },
  { value: '24h', label: say('Last 24 hours') },
  { value: '7d', label: say('Last 7 days') },
  { value: '30d', label: say('Last 30 days') },
  { value: 'own', label: say('Custom dates') },
];

function Filters({ filters, jobs, onChange, className }: JobFilterBarProps & { className?: string }) {
  const { keys } = useKeyNames();
  const { family, filter, key, state, since, from, to } = filters;
  const named = useFilterOptions(jobs, filter);
  const hasDates = from !== undefined || to !== undefined;
  const today = dayText(new Date());
  const narrow = (name: keyof JobFilters) => (value: string) => onChange({ [name]: value || undefined });
  const chooseTime = (value: string) =>
    onChange(
      value === 'own'
        ? { since: undefined, from: today, to: today }
        : { since: (value || undefined) as Period, from: undefined, to: undefined },
    );
  const dateInput = `min-h-9 rounded-card border border-ink-soft bg-ground px-2 text-small ${className ?? ''}`;
  const shared = className === undefined ? {} : { className };
  return (
    <>
      <CompactSelect
        label={say('State')}
        value={state ?? ''}
        onChange={narrow('state')}
        options={[any(say('Any state')), ...stateOptions]}
        {...shared}
      />
      <CompactSelect
        label={say('Family')}
        value={family ?? ''}
        onChange={narrow('family')}
        options={[any(say('Any family')), ...familyOptions]}
        {...shared}
      />
      <CompactSelect
        label={say('Filter')}
        value={filter ?? ''}
        onChange={narrow('filter')}
        options={[any(say('Any filter')), ...named]}
        {...shared}
      />
      <CompactSelect
        label={say('Key')}
        value={key ?? ''}
        onChange={narrow('key')}
        options={[any(say('Any key')), ...keys.map(({ id, name }) => ({ value: id, label: name }))]}
        {...shared}
      />
      <CompactSelect
        label={say('Time')}
        value={since ?? (hasDates ? 'own' : '')}
        onChange={chooseTime}
        options={times}
        {...shared}
      />
      {hasDates && (
        <>
          <input
            type="date"
            aria-label={say('First day')}
            max={to ?? today}
            value={from ?? ''}
            onChange={(event) => narrow('from')(event.target.value)}
            className={dateInput}
          />
          <input
            type="date"
            aria-label={say('Last day')}
            min={from}
            max={today}
            value={to ?? ''}
            onChange={(event) => narrow('to')(event.target.value)}
            className={dateInput}
          />
        </>
      )}
    </>
  );
}

/** The filters of all jobs that were read so far, by name. `jobs` are those in the list, and change when more are read. */
function useFilterOptions(jobs: readonly JobListEntry[], chosen: string | undefined) {
  const queries = useQueryClient();
  return useMemo(() => {
    const read = queries.getQueriesData<JobPages>({ queryKey: ['jobs'] });
    const all = read.flatMap(([, data]) => data?.pages.flatMap((page) => page.jobs) ?? []);
    const names = new Map<string, string>();
    for (const job of [...jobs, ...all])
      if (job.filter !== null && !names.has(job.filter)) names.set(job.filter, jobTitle(job));
    if (chosen !== undefined && !names.has(chosen)) names.set(chosen, say('Filter {id}', { id: chosen }));
    return [...names]
      .map(([value, label]) => ({ value, label }))
      .sort((a, b) => a.label.localeCompare(b.label));
  }, [queries, jobs, chosen]);
}

/** A day as a date field has it, on the person's clock. */
function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
