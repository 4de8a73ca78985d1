import type { QaCell } from '@guise/contract/qa-runs.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { Compare } from '../../../ui/compare.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { CellPicture } from './cell-picture.tsx';
import { NoteField, type NoteFieldProps } from './note-field.tsx';
import { fairReasons, neighbour, type QaRow, stepOf } from './qa-cells.ts';
import type { Judging } from './use-judging.ts';
import { VerdictButtons } from './verdict-buttons.tsx';

interface CellViewerProps extends Pick<NoteFieldProps, 'runId' | 'onSaved'> {
  cell: QaCell;
  rows: readonly QaRow[];
  /** What has the focus first. */
  part: 'picture' | 'note';
  judging: Judging;
  onMove(cell: QaCell): void;
  onClose(): void;
}

/** A cell at full size, with the same keys as the board. */
export function CellViewer({ cell, rows, part, judging, onMove, onClose, ...note }: CellViewerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const cells = rows.flatMap((row) => row.cells);
  const reasons = fairReasons(cell);
  const at = cells.findIndex(({ id }) => id === cell.id);
  const press = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = target instanceof HTMLInputElement ? undefined : stepOf(event.key);
    if (step) onMove(neighbour(rows, cell.id, step) ?? cell);
    else if (event.key === '1') judging.judge(cell, 'good');
    else if (event.key === '2') judging.judge(cell, 'bad');
    else if (event.key === 'n') field.current?.focus();
    else return;
    event.preventDefault();
  };
  useKeys(press);
  const move = (by: number) => cells[at + by] && onMove(cells[at + by]!);
  return (
    <Dialog
      open
      wide
      title={say('{photo}, version {version}', { photo: cell.photo.name, version: cell.version })}
      onClose={onClose}
      finalFocus={() => document.getElementById(`cell-${cell.id}`)}
    >
      <div className="flex h-[62dvh] items-center justify-center max-sm:h-[56dvh]">
        <Picture cell={cell} />
      </div>
      {reasons && (
        <p className="mt-3 text-center text-small text-balance text-ink-soft">
          <span className="font-medium text-accent-ink">{say('Fair.')}</span>{' '}
          {reasons.map(sayOfServer).join(' ')}
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="flex items-center gap-2">
          <VerdictButtons cell={cell} large onJudge={(verdict) => judging.judge(cell, verdict)} />
        </div>
        <NoteField
          key={cell.id}
          {...note}
          field={field}
          cell={cell}
          drafts={judging.drafts}
          autoFocus={part === 'note'}
        />
        <div className="ml-auto flex items-center gap-1">
          <span className="text-small whitespace-nowrap text-ink-soft">
            {say('{at} of {count}', { at: at + 1, count: cells.length })}
          </span>
          <IconButton label={say('Previous')} disabled={at <= 0} onClick={() => move(-1)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton label={say('Next')} disabled={at >= cells.length - 1} onClick={() => move(1)}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </Dialog>
  );
}

function Picture({ cell }: { cell: QaCell }) {
  const { result_url: after, photo } = cell;
  const size = 'max-h-[62dvh] max-sm:max-h-[56dvh]';
  if (after && photo.url) return <Compare before={photo.url} after={after} alt={say('Result')} size={size} />;
  if (after)
    return (
      <img src={after} alt={say('Result')} className={`max-w-full rounded-card object-contain ${size}`} />
    );
  return <CellPicture cell={cell} />;
}

/** Keys of the whole dialog, wherever its focus is. */
function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    // Before the dialog sees them: it keeps arrows to itself.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}
