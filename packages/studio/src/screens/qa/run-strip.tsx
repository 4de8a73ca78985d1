import type { QaCell } from '@guise/contract/qa-runs.ts';

/** More would only be cut off. */
const mostPictures = 16;

const verdictEdge = { good: 'border-good', bad: 'border-lost', none: 'border-transparent' } as const;

/** The first pictures of a run, as many as the screen has room for. Their lower edge tells the verdict. */
export function RunStrip({ cells }: { cells: readonly QaCell[] | undefined }) {
  if (!cells) return <div className="h-28 max-md:h-20" />;
  return (
    <div className="flex h-28 flex-wrap gap-1.5 overflow-hidden max-md:h-20">
      {cells.slice(0, mostPictures).map((cell) => (
        <div
          key={cell.id}
          className={`h-28 min-w-14 border-b-2 max-md:h-20 ${verdictEdge[cell.verdict ?? 'none']}`}
        >
          {cell.thumbnail_url ? (
            <img
              src={cell.thumbnail_url}
              alt=""
              loading="lazy"
              decoding="async"
              className="h-full rounded-t-card bg-panel"
            />
          ) : (
            <span className="grid size-full w-20 place-items-center rounded-t-card bg-panel text-small text-ink-soft">
              {words[cell.status]}
            </span>
          )}
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
