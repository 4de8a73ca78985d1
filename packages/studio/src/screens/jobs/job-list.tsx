import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useRef } from 'react';
import { say } from '../../words/say.ts';
import type { JobViewProps } from './job-gallery.tsx';
import { JobRow } from './job-row.tsx';
import { useScrollList, useWidth } from './use-scroll-list.ts';

interface JobListProps extends JobViewProps {
  submitterName(job: JobListEntry): string;
}

/** Jobs as lines. Only those in sight are in the page. */
export function JobList({ jobs, selection, onNearEnd, submitterName }: JobListProps) {
  const list = useRef<HTMLUListElement>(null);
  const isNarrow = useWidth(list) < 640;
  const rowHeight = isNarrow ? 84 : 64;
  const { items, height, offset } = useScrollList(list, { rows: jobs.length, rowHeight, onNearEnd });
  return (
    <ul ref={list} aria-label={say('Jobs')} className="relative border-t" style={{ height: height + 1 }}>
      {items.map(({ index, start }) => {
        const job = jobs[index];
        return (
          job && (
            <li
              key={job.id}
              aria-setsize={jobs.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 [contain:strict]"
              style={{ height: rowHeight, transform: `translateY(${start - offset}px)` }}
            >
              <JobRow
                job={job}
                keyName={submitterName(job)}
                isSelected={selection.ids.has(job.id)}
                onToggle={selection.toggle}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}
