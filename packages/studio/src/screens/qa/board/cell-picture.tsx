import type { QaCell } from '@guise/contract/qa-runs.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { say } from '../../../words/say.ts';
import { pictureText } from './qa-cells.ts';

/** What has become of a cell: its picture, how far it is, or why there is none. */
export function CellPicture({ cell }: { cell: QaCell }) {
  if (cell.thumbnail_url)
    return (
      <img
        src={cell.thumbnail_url}
        alt=""
        loading="lazy"
        decoding="async"
        className="max-h-96 min-h-24 max-w-full rounded-card bg-panel"
      />
    );
  return (
    <span className="grid aspect-[2/3] w-64 max-w-full place-items-center rounded-card bg-panel p-3 text-center text-small text-ink-soft">
      {cell.status === 'RUNNING' ? (
        <span className="w-full max-w-32">
          <ProgressBar label={say('Making it')} share={cell.progress} />
        </span>
      ) : (
        <span className={`line-clamp-6 ${cell.status === 'FAILED' ? 'text-lost' : ''}`}>
          {pictureText(cell)}
        </span>
      )}
    </span>
  );
}
