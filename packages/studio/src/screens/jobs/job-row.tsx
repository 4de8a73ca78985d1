import type { JobListEntry } from '@guise/contract/jobs.ts';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { creditsText } from '../../ui/credits-text.ts';
import { duration, shortTime } from '../../ui/format-time.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { say } from '../../words/say.ts';
import { JobState } from './job-state.tsx';
import { JobThumbnail } from './job-thumbnail.tsx';
import { familyTitle, jobTitle, tookMs } from './job-words.ts';
import { SelectBox } from './select-box.tsx';

interface JobRowProps {
  job: JobListEntry;
  keyName: string;
  isSelected: boolean;
  onToggle(id: string, isRange: boolean): void;
}

/** One line, or three on a phone. */
export const JobRow = memo(function JobRow({ job, keyName, isSelected, onToggle }: JobRowProps) {
  const title = jobTitle(job);
  const took = tookMs(job);
  return (
    <div className={`flex h-full items-center border-b ${isSelected ? 'bg-panel' : 'hover:bg-panel'}`}>
      <SelectBox
        label={say('Select {title}, {time}', { title, time: shortTime(job.created_at) })}
        isSelected={isSelected}
        onToggle={(isRange) => onToggle(job.id, isRange)}
      />
      <Link
        to="/studio/jobs/$id"
        params={{ id: job.id }}
        state={{ cameFromList: true }}
        preload={false}
        className="grid h-full min-w-0 flex-1 grid-cols-[3rem_minmax(0,1fr)] items-center gap-x-3 sm:grid-cols-[3rem_minmax(0,3fr)_minmax(0,4fr)_7rem] lg:grid-cols-[3rem_minmax(0,4fr)_minmax(0,5fr)_minmax(0,2fr)_5rem_5rem_7rem]"
      >
        <span className="block h-13 w-12 overflow-hidden rounded-[4px] bg-panel max-sm:h-16">
          <JobThumbnail job={job} className="size-full object-cover" />
        </span>
        <span className="min-w-0">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-small text-ink-soft">
            {title === familyTitle(job.family) ? ' ' : familyTitle(job.family)}
          </span>
          <span className="flex gap-2 text-small sm:hidden">
            <JobState job={job} />
            <span className="truncate text-ink-soft">
              {(!job.cancelled && job.error && jobSentence(job.error)) || shortTime(job.created_at)}
            </span>
          </span>
        </span>
        <span className="min-w-0 text-small max-sm:hidden">
          <JobState job={job} />
          {job.error && !job.cancelled && (
            <span className="line-clamp-2 text-ink-soft">{jobSentence(job.error)}</span>
          )}
        </span>
        <span className="truncate text-small text-ink-soft max-lg:hidden">{keyName}</span>
        <span className="text-right text-small text-ink-soft max-lg:hidden">
          {took === null ? '' : duration(took)}
        </span>
        <span className="text-right text-small text-ink-soft max-lg:hidden">
          {job.status === 'FAILED' ? say('returned') : creditsText(job.credits)}
        </span>
        <span className="pr-3 text-right text-small text-ink-soft max-sm:hidden">
          {shortTime(job.created_at)}
        </span>
      </Link>
    </div>
  );
});
