import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { type KeyboardEvent, useState } from 'react';
import { say } from '../../../words/say.ts';
import { peopleText } from '../qa-words.ts';
import { BoardCell } from './board-cell.tsx';
import { neighbour, type QaRow, stepOf } from './qa-cells.ts';
import type { Judging } from './use-judging.ts';

interface QaBoardProps {
  run: QaRun;
  rows: readonly QaRow[];
  /** The version that the filter has now. */
  currentVersion: number | undefined;
  judging: Judging;
  onOpen(cell: QaCell, part: 'picture' | 'note'): void;
  onRetry(cell: QaCell): void;
}

/** Photos down, versions across. Arrows move, 1 says good, 2 says bad, n writes a note, Enter opens. */
export function QaBoard({ run, rows, currentVersion, judging, onOpen, onRetry }: QaBoardProps) {
  const [focused, setFocused] = useState<string>();
  const isShown = rows.some(({ cells }) => cells.some(({ id }) => id === focused));
  const current = isShown ? focused : rows[0]?.cells[0]?.id;
  const press = (event: KeyboardEvent, cell: QaCell) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event.key);
    if (step) focusCell(neighbour(rows, cell.id, step)?.id);
    else if (event.key === '1') judging.judge(cell, 'good');
    else if (event.key === '2') judging.judge(cell, 'bad');
    else if (event.key === 'n') onOpen(cell, 'note');
    else if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(cell, 'picture');
    else return;
    event.preventDefault();
  };
  const isOne = run.versions.length === 1;
  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows move between its cells.
      role="grid"
      aria-label={say('Photos and versions')}
      className={`w-full table-fixed ${isOne ? 'max-w-[42rem]' : 'max-w-[56rem]'}`}
    >
      <thead className="text-left text-small font-medium">
        <tr>
          <th
            scope="col"
            className={`${head} ${isOne ? 'w-72 max-md:w-32' : 'w-64 max-lg:w-44 max-md:w-20'}`}
          >
            {say('Photo')}
          </th>
          {run.versions.map((version) => (
            <th scope="col" key={version} className={`pl-4 max-md:pl-3 ${head}`}>
              {say('Version {version}', { version })}
              {version === currentVersion && (
                <span className="font-normal text-ink-soft">, {say('live')}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map(({ photo, cells }) => (
          <tr key={photo.id} className="align-top">
            <th scope="row" className="py-4 text-left font-normal">
              <PhotoOfRow photo={photo} />
            </th>
            {cells.map((cell) => (
              <BoardCell
                key={cell.id}
                cell={cell}
                isCurrent={cell.id === current}
                onFocus={() => setFocused(cell.id)}
                onKeyDown={(event) => press(event, cell)}
                onOpen={() => onOpen(cell, 'picture')}
                onNote={() => onOpen(cell, 'note')}
                onJudge={(verdict) => judging.judge(cell, verdict)}
                onRetry={() => onRetry(cell)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The versions stay in sight. The line is drawn below, as borders of a table do not stay with what is sticky. */
const head = 'sticky top-0 z-10 bg-ground py-2 font-medium shadow-[inset_0_-1px_var(--line)]';

function focusCell(id: string | undefined): void {
  document.getElementById(`cell-${id}`)?.focus();
}

function PhotoOfRow({ photo }: { photo: QaCell['photo'] }) {
  return (
    <>
      {photo.thumbnail_url ? (
        <img
          src={photo.thumbnail_url}
          alt=""
          loading="lazy"
          className="max-h-96 max-w-full rounded-card bg-panel"
        />
      ) : (
        <span className="grid aspect-square place-items-center rounded-card bg-panel p-2 text-center text-small text-ink-soft">
          {say('Removed from its set')}
        </span>
      )}
      <span className="mt-1.5 line-clamp-2 text-small font-medium break-words">{photo.name}</span>
      {photo.people !== null && (
        <span className="block text-small text-ink-soft">{peopleText(photo.people)}</span>
      )}
    </>
  );
}
