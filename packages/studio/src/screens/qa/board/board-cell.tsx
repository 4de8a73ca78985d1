import type { QaCell, Verdict } from '@guise/contract/qa-runs.ts';
import { MessageSquareText, RotateCcw } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { FairMark } from '../../../ui/fair-mark.tsx';
import { say } from '../../../words/say.ts';
import { CellPicture } from './cell-picture.tsx';
import { cellName, fairReasons, pictureWords } from './qa-cells.ts';
import { VerdictButtons } from './verdict-buttons.tsx';

interface BoardCellProps {
  cell: QaCell;
  isCurrent: boolean;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  onOpen(): void;
  onNote(): void;
  onJudge(verdict: Verdict): void;
  onRetry(): void;
}

/** A picture with its verdict. The cell has the focus; its buttons are for the mouse and for touch. */
export function BoardCell({ cell, isCurrent, ...on }: BoardCellProps) {
  const text = pictureWords(cell);
  const named = { photo: cell.photo.name, version: cell.version };
  const reasons = fairReasons(cell);
  const canRetry = cell.status === 'FAILED' || cell.status === 'EXPIRED';
  return (
    <td
      id={`cell-${cell.id}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={cellName(cell)}
      onFocus={on.onFocus}
      onKeyDown={on.onKeyDown}
      className="py-4 pl-4 outline-none max-md:pl-3 [&:focus-visible>button]:outline-2"
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={
          text
            ? say('Open {photo}, version {version}: {words}', { ...named, words: text })
            : say('Open {photo}, version {version}', named)
        }
        onClick={on.onOpen}
        className="relative block max-w-full rounded-card outline-offset-2 outline-accent"
      >
        <CellPicture cell={cell} />
        {reasons && <FairMark reasons={reasons} className="absolute top-1.5 left-1.5" />}
      </button>
      <div className="mt-1.5 flex min-w-0 items-center gap-1">
        <VerdictButtons cell={cell} onJudge={on.onJudge} tabIndex={-1} />
        {canRetry && (
          <IconButton label={say('Retry')} tabIndex={-1} onClick={on.onRetry}>
            <RotateCcw size={17} aria-hidden />
          </IconButton>
        )}
        <button
          type="button"
          tabIndex={-1}
          aria-label={cell.note ? say('Note: {note}', { note: cell.note }) : say('Add a note')}
          title={cell.note || say('Add a note (n)')}
          onClick={on.onNote}
          className="flex min-h-9 min-w-9 items-center gap-1.5 rounded-card px-2 text-left text-small text-ink-soft hover:bg-panel hover:text-ink"
        >
          <MessageSquareText
            size={17}
            className={`shrink-0 ${cell.note ? 'text-accent-ink' : ''}`}
            aria-hidden
          />
          <span className="truncate max-sm:hidden">{cell.note}</span>
        </button>
      </div>
    </td>
  );
}
