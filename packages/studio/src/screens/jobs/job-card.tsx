import type { JobListEntry } from '@guise/contract/jobs.ts';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { memo } from 'react';
import { shortTime } from '../../ui/format-time.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { say } from '../../words/say.ts';
import { JobState } from './job-state.tsx';
import { JobThumbnail } from './job-thumbnail.tsx';
import { hasEnded, jobTitle, stateOf } from './job-words.ts';
import { SelectBox } from './select-box.tsx';

interface JobCardProps {
  job: JobListEntry;
  pictureHeight: number;
  isSelected: boolean;
  /** Something is selected already: every card shows its box. */
  isSelecting: boolean;
  onToggle(id: string, isRange: boolean): void;
}

export const JobCard = memo(function JobCard(props: JobCardProps) {
  const { job, pictureHeight, isSelected, isSelecting, onToggle } = props;
  const title = jobTitle(job);
  const state = stateOf(job);
  return (
    <div className="group relative min-w-0">
      <Link
        to="/studio/jobs/$id"
        params={{ id: job.id }}
        state={{ cameFromList: true }}
        preload={false}
        className="block"
      >
        <span className="flex items-end" style={{ height: pictureHeight }}>
          <span
            className={`relative block overflow-hidden rounded-card ${job.thumbnail_url ? '' : 'size-full bg-panel'} ${isSelected ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
          >
            {job.thumbnail_url ? (
              <JobThumbnail job={job} className="block max-w-full" style={{ maxHeight: pictureHeight }} />
            ) : (
              <InPlaceOfPicture job={job} />
            )}
            {job.media_type.startsWith('video/') && job.thumbnail_url && (
              <Play
                aria-label={say('Video')}
                size={18}
                className="absolute right-2 bottom-2 fill-white text-white drop-shadow-md"
              />
            )}
          </span>
        </span>
        <span className="mt-1.5 block truncate text-small font-medium">{title}</span>
        <span className="flex justify-between gap-2 text-small text-ink-soft">
          <span className="truncate">{shortTime(job.created_at)}</span>
          {state !== 'completed' && <JobState job={job} />}
        </span>
      </Link>
      <SelectBox
        label={say('Select {title}, {time}', { title, time: shortTime(job.created_at) })}
        isSelected={isSelected}
        onToggle={(isRange) => onToggle(job.id, isRange)}
        className={`absolute top-0 left-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100 ${isSelected || isSelecting ? '' : 'opacity-0'}`}
      />
    </div>
  );
});

/** Why there is no picture: not yet, not any more, or what the guest was told. */
function InPlaceOfPicture({ job }: { job: JobListEntry }) {
  if (job.error !== null)
    return (
      <span
        className={`flex size-full items-end overflow-hidden p-3 text-small ${job.cancelled ? 'text-ink-soft' : 'text-lost'}`}
      >
        <span className="line-clamp-6">{jobSentence(job.error)}</span>
      </span>
    );
  if (hasEnded(job))
    return (
      <span className="grid size-full place-items-center p-3 text-center text-small text-ink-soft">
        {say('Deleted when it expired')}
      </span>
    );
  return (
    <span className="absolute inset-x-3 bottom-3 h-1 overflow-hidden rounded-full bg-line">
      <span
        className="block h-full bg-ink transition-[width]"
        style={{ width: `${Math.round(job.progress * 100)}%` }}
      />
    </span>
  );
}
