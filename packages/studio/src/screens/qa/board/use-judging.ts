import type { QaCell, QaRun, Verdict } from '@guise/contract/qa-runs.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';
import type { NoteDraft } from './note-field.tsx';
import { isUnfinished } from './qa-cells.ts';

export interface Judging {
  /** Says good or bad; the same again takes it back. */
  judge(cell: QaCell, verdict: Verdict): void;
  /** Notes that could not be saved yet, by the id of their cell. */
  drafts: Map<string, NoteDraft>;
}

/** Verdicts show at once. They are sent in the order they were given, and the last one counts. */
export function useJudging(
  run: Pick<QaRun, 'id'>,
  changeCell: (id: string, change: Partial<QaCell>) => void,
): Judging {
  const guise = useGuise();
  const toast = useToast();
  const drafts = useRef(new Map<string, NoteDraft>());
  const last = useRef(new Map<string, symbol>());
  const send = useMutation({
    scope: { id: `judge ${run.id}` },
    mutationFn: ({ cell, verdict }: { cell: QaCell; verdict: Verdict | null; mark: symbol }) =>
      guise.qaRuns.judge(run.id, cell.id, { verdict }),
    onSuccess: ({ verdict, note, etag }, { cell, mark }) => {
      // A later verdict is on its way.
      if (last.current.get(cell.id) === mark) changeCell(cell.id, { verdict, note, etag });
    },
    onError: (error, { cell, mark }) => {
      if (last.current.get(cell.id) === mark) changeCell(cell.id, { verdict: cell.verdict });
      toast.fail(errorSentence(error));
    },
  });
  const judge = (cell: QaCell, wanted: Verdict) => {
    if (isUnfinished(cell)) return;
    const verdict = cell.verdict === wanted ? null : wanted;
    const mark = Symbol(cell.id);
    last.current.set(cell.id, mark);
    changeCell(cell.id, { verdict });
    send.mutate({ cell, verdict, mark });
  };
  return { judge, drafts: drafts.current };
}
