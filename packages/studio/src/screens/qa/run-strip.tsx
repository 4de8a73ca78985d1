import type { QaCell } from '@guise/contract/qa-runs.ts';

/** More would only be cut off. */
const mostPictures = 16;

const verdictColours = { good: 'bg-good', bad: 'bg-lost', none: '' } as const;

/** The first pictures of a run, as many as the screen has room for. The line below each tells its verdict. */
export function RunStrip({ cells }: { cells: readonly QaCell[] | undefined }) {
  if (!cells) return <div className="h-28 max-md:h-20" />;
  return (
    <div className="flex h-28 flex-wrap gap-1.5 overflow-hidden max-md:h-20">
      {cells.slice(0, mostPictures).map((cell) => (
        <div key={cell.id} className="flex h-28 min-w-10 flex-col gap-1 max-md:h-20">
          {cell.thumbnail_url ? (
            <img
              src={cell.thumbnail_url}
              alt=""
              loading="lazy"
              decoding="async"
              className="min-h-0 flex-1 rounded-card bg-panel"
            />
          ) : (
            <span className="grid w-18 flex-1 place-items-center rounded-card bg-panel text-small text-ink-soft">
              {words[cell.status]}
            </span>
          )}
          <span className={`h-1 rounded-full ${verdictColours[cell.verdict ?? 'none']}`} />
        </div>
      ))}
    </div>
  );
}

const words: Record<QaCell['status'], string> = {
  QUEUED: 'Waiting',
  RUNNING: 'Making it',
  COMPLETED: 'Done',
  FAILED: 'Failed',
  EXPIRED: 'Deleted',
};
