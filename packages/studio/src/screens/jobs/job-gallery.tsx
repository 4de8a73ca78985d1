import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useRef } from 'react';
import { say } from '../../words/say.ts';
import { JobCard } from './job-card.tsx';
import { usePictureShape } from './use-picture-shape.ts';
import { useScrollList, useWidth } from './use-scroll-list.ts';
import type { Selection } from './use-selection.ts';

const gap = 16;
/** Two lines of text below a picture, and the space to the next row. */
const captionHeight = 68;

export interface JobViewProps {
  jobs: readonly JobListEntry[];
  selection: Selection;
  onNearEnd: (() => void) | undefined;
}

/** Results as pictures. Only the rows in sight are in the page. */
export function JobGallery({ jobs, selection, onNearEnd }: JobViewProps) {
  const list = useRef<HTMLUListElement>(null);
  const width = useWidth(list);
  const columns = columnsIn(width);
  const cardWidth = (width - gap * (columns - 1)) / columns;
  const shape = usePictureShape(jobs);
  const pictureHeight = Math.round(cardWidth * shape);
  const rowHeight = pictureHeight + captionHeight;
  const rows = width === 0 ? 0 : Math.ceil(jobs.length / columns);
  const { items, height, offset } = useScrollList(list, { rows, rowHeight, onNearEnd });
  return (
    <ul ref={list} aria-label={say('Jobs')} className="relative" style={{ height }}>
      {items.flatMap((row) =>
        jobs.slice(row.index * columns, (row.index + 1) * columns).map((job, column) => (
          <li
            key={job.id}
            aria-setsize={jobs.length}
            aria-posinset={row.index * columns + column + 1}
            className="absolute top-0 left-0 [contain:layout_style]"
            style={{
              width: cardWidth,
              transform: `translate(${column * (cardWidth + gap)}px, ${row.start - offset}px)`,
            }}
          >
            <JobCard
              job={job}
              pictureHeight={pictureHeight}
              isSelected={selection.ids.has(job.id)}
              isSelecting={selection.ids.size > 0}
              onToggle={selection.toggle}
            />
          </li>
        )),
      )}
    </ul>
  );
}

/** Two on a phone; else as many as leave a picture 190 px. */
function columnsIn(width: number): number {
  return Math.max(2, Math.floor((width + gap) / (190 + gap)));
}
