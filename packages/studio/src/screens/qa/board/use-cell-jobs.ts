import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';

/** Requests that are under way at once. */
const atOnce = 4;

/** Retries and cancels the jobs of cells. */
export function useCellJobs(
  run: Pick<QaRun, 'id'>,
  changeCell: (id: string, change: Partial<QaCell>) => void,
) {
  const guise = useGuise();
  const toast = useToast();
  const [busy, setBusy] = useState<'retry' | 'cancel'>();

  const each = async (
    kind: 'retry' | 'cancel',
    cells: readonly QaCell[],
    work: (cell: QaCell) => Promise<void>,
  ) => {
    setBusy(kind);
    const left = [...cells];
    const problems = new Set<string>();
    const next = async () => {
      for (let cell = left.shift(); cell; cell = left.shift())
        await work(cell).catch((error) => problems.add(errorSentence(error)));
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    for (const problem of problems) toast.fail(problem);
    setBusy(undefined);
  };

  return {
    busy,
    retry: (cells: readonly QaCell[]) =>
      each('retry', cells, async (cell) => changeCell(cell.id, await guise.qaRuns.retry(run.id, cell.id))),
    /** What a job had become by then comes with its own change. */
    cancel: (cells: readonly QaCell[]) =>
      each('cancel', cells, async (cell) => {
        if (cell.job_id) await guise.jobs.cancel(cell.job_id);
      }),
  };
}
