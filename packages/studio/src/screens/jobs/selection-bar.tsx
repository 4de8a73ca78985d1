import type { JobListEntry } from '@guise/contract/jobs.ts';
import { Download, RotateCcw, Trash2, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { hasEnded } from './job-words.ts';
import type { BatchAction } from './run-batch.ts';
import { useBatch } from './use-batch.ts';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps {
  jobs: readonly JobListEntry[];
  selection: Selection;
  onErased(ids: ReadonlySet<string>): void;
}

/** What can be done with the selected jobs. */
export function SelectionBar({ jobs, selection, onErased }: SelectionBarProps) {
  const { working, act, download, stop } = useBatch();
  const selected = jobs.filter(({ id }) => selection.ids.has(id));
  const open = selected.filter((job) => !hasEnded(job)).map(({ id }) => id);
  const failed = selected.filter(({ can_retry }) => can_retry).map(({ id }) => id);
  const withResult = selected.filter((job) => job.thumbnail_url !== null).map(({ id }) => id);
  const all = selected.map(({ id }) => id);
  if (selected.length === 0) return null;

  const run = async (action: BatchAction, ids: string[]) => {
    const results = await act(action, ids);
    const gone = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
    if (action === 'erase') onErased(gone);
    if (gone.size === ids.length) selection.clear();
    // Whoever presses again after an error must not retry, and pay for, the same jobs twice.
    else if (action === 'retry') selection.remove(gone);
  };
  return (
    <section
      aria-label={say('Selected jobs')}
      className="sticky bottom-4 z-20 mx-auto mt-6 flex w-fit max-w-[calc(100%-1rem)] flex-wrap items-center justify-center gap-1.5 rounded-card border bg-raised p-1.5 shadow-float"
    >
      {working ? (
        <>
          <div className="w-56 px-2">
            <ProgressBar label={working.label} share={working.done / working.all} />
          </div>
          <Button onClick={stop}>{say('Stop')}</Button>
        </>
      ) : (
        <>
          <span className="px-2 font-medium">
            {say('{count} selected', { count: numberText(selected.length) })}
          </span>
          {selected.length < jobs.length && (
            <Button kind="quiet" onClick={selection.selectAll}>
              {say('Select all {count}', { count: numberText(jobs.length) })}
            </Button>
          )}
          <Button
            icon={<Download size={16} aria-hidden />}
            disabled={withResult.length === 0}
            onClick={() => download(withResult)}
          >
            {say('Download')}
          </Button>
          {failed.length > 0 && (
            <Button icon={<RotateCcw size={16} aria-hidden />} onClick={() => run('retry', failed)}>
              {say('Retry')}
            </Button>
          )}
          {open.length > 0 && (
            <Confirm
              trigger={<Button icon={<X size={16} aria-hidden />}>{say('Cancel')}</Button>}
              title={
                open.length === 1
                  ? say('Cancel this job?')
                  : say('Cancel {count} jobs?', { count: open.length })
              }
              text={
                open.length === 1
                  ? say('It ends without a result and its credits are returned.')
                  : say('They end without a result and their credits are returned.')
              }
              action={open.length === 1 ? say('Cancel it') : say('Cancel them')}
              onConfirm={() => run('cancel', open)}
            />
          )}
          <EraseButton count={all.length} onErase={() => run('erase', all)} />
          <IconButton label={say('Clear the selection')} onClick={selection.clear}>
            <X size={18} aria-hidden />
          </IconButton>
        </>
      )}
    </section>
  );
}

function EraseButton({ count, onErase }: { count: number; onErase(): Promise<unknown> }) {
  return (
    <Confirm
      trigger={
        <Button kind="danger" icon={<Trash2 size={16} aria-hidden />}>
          {say('Erase')}
        </Button>
      }
      title={count === 1 ? say('Erase this job?') : say('Erase {count} jobs?', { count })}
      text={say(
        'Photos and results are deleted now, everywhere, and cannot be restored. Charged credits are not returned.',
      )}
      action={count === 1 ? say('Erase it') : say('Erase them')}
      onConfirm={onErase}
    />
  );
}
