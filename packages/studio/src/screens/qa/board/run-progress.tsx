import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { RotateCcw } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { creditsText } from '../../../ui/credits-text.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { say } from '../../../words/say.ts';
import { isUnfinished } from './qa-cells.ts';

interface RunProgressProps {
  run: QaRun;
  busy: 'retry' | 'cancel' | undefined;
  onRetry(cells: QaCell[]): void;
  onCancel(cells: QaCell[]): void;
}

/** How many pictures are made, and what to do about those that are not. */
export function RunProgress({ run, busy, onRetry, onCancel }: RunProgressProps) {
  const unfinished = run.cells.filter(isUnfinished);
  const failed = run.cells.filter(({ status }) => status === 'FAILED');
  if (unfinished.length === 0 && failed.length === 0) return null;
  const done = run.cells.length - unfinished.length;
  const price = Math.round((run.price / run.cells.length) * failed.length);
  return (
    <div className="flex flex-col gap-3">
      {unfinished.length > 0 && (
        <>
          <ProgressBar
            label={say('{done} of {count} made', { done, count: run.cells.length })}
            share={shareOf(run.cells)}
          />
          <Button
            kind="quiet"
            className="self-start"
            busy={busy === 'cancel'}
            onClick={() => onCancel(unfinished)}
          >
            {say('Cancel the others')}
          </Button>
        </>
      )}
      {failed.length > 0 && (
        <Button
          className="self-start"
          busy={busy === 'retry'}
          icon={<RotateCcw size={17} aria-hidden />}
          onClick={() => onRetry(failed)}
        >
          {say('Retry {count} failed, {credits}', { count: failed.length, credits: creditsText(price) })}
        </Button>
      )}
    </div>
  );
}

function shareOf(cells: readonly QaCell[]): number {
  const done = cells.reduce((sum, cell) => sum + (isUnfinished(cell) ? cell.progress : 1), 0);
  return done / cells.length;
}
