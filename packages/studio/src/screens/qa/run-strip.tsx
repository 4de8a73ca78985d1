import type { QaCell } from '@guise/contract/qa-runs.ts';
import { say } from '../../words/say.ts';

/** More would only be cut off. */
const mostPictures = 16;

const verdictColours = { good: 'bg-good', bad: 'bg-lost', none: '' } as const;

/** The first pictures of a run, as many as the screen has room for. The line below each tells its verdict. */
export function RunStrip({ cells }: { cells: readonly QaCell[] | undefined }) {
  if (!cells) return <div className="h-28 max-md:h-20" />;
  return (
    <div className="flex h-28 flex-wrap gap-1.5 overflow-hidden max-md:h-20">
      {cells.slice(0, mostPictures).map((cell) => (
        <div key={cell.id}>
          {cell.thumbnail_url ? (
            <img
              src={cell.thumbnail_url}
              alt=""
              loading="lazy"
              decoding="async"
              className="block h-26 w-auto min-w-10 rounded-card bg-panel object-cover max-md:h-18"
            />
          ) : (
            <span className="grid h-26 w-18 place-items-center rounded-card bg-panel text-small text-ink-soft max-md:h-18">
              {words[cell.status]}
            </span>
          )}
          <span className={`mt-1 block h-1 rounded-full ${verdictColours[cell.verdict ?? 'none']}`} />
        </div>
      ))}
    </div>
  );
}

const words: Record<QaCell['status'], string> = {
  QUEUED: say('Waiting'),
  RUNNING: say('Making it'),
  COMPLETED: say('Done'),
  FAILED: say('Failed'),
  EXPIRED: say('Deleted'),
};
