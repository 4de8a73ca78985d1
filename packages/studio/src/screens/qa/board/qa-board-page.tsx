import { GuiseError } from '@guise/client/guise-error.ts';
import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { creditsText } from '../../../ui/credits-text.ts';
import { shortTime } from '../../../ui/format-time.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';
import { qaRunDeletionKey, qaRunQuery, qaRunsKey } from '../qa-run-query.ts';
import { versionsText } from '../qa-words.ts';
import { useQaRun } from '../use-qa-run.ts';
import { CellViewer } from './cell-viewer.tsx';
import { KeyLegend } from './key-legend.tsx';
import { QaBoard } from './qa-board.tsx';
import { countVerdicts, type FairOrder, isFair, orderRows, rowsOf } from './qa-cells.ts';
import { RunProgress } from './run-progress.tsx';
import { useCellJobs } from './use-cell-jobs.ts';
import { useJudging } from './use-judging.ts';
import { VersionSummary } from './version-summary.tsx';

export const Route = createLazyRoute('/shell/studio/qa/$id')({ component: QaBoardPage });

function QaBoardPage() {
  const { id } = Route.useParams();
  const { run, error, refetch, changeCell } = useQaRun(id);
  if (run) return <Board key={id} run={run} changeCell={changeCell} />;
  return (
    <>
      <PageHeader title="QA" />
      {error && (
        <div className="px-6 max-md:px-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
    </>
  );
}

interface BoardProps {
  run: QaRun;
  changeCell(id: string, change: Partial<QaCell>): void;
}

function Board({ run, changeCell }: BoardProps) {
  const fair = run.cells.filter(isFair).length;
  const [order, setOrder] = useState<FairOrder>('all');
  const rows = useMemo(() => orderRows(rowsOf(run), fair > 0 ? order : 'all'), [run, fair, order]);
  const judging = useJudging(run, changeCell);
  const jobs = useCellJobs(run, changeCell);
  const filter = useFilterNow(run.filter.id);
  const [open, setOpen] = useState<{ id: string; part: 'picture' | 'note' }>();
  const shown = run.cells.find(({ id }) => id === open?.id);
  return (
    <>
      <PageHeader title={run.filter.name} text={aboutRun(run)}>
        {filter && (
          <Link to="/studio/qa/new" search={{ filter: run.filter.id }} className={plainLink}>
            {say('New run')}
          </Link>
        )}
        <DeleteRun run={run} />
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)_18rem] gap-x-10 px-6 pb-10 max-xl:grid-cols-1 max-md:px-4">
        <aside
          aria-label={say('Pass rate')}
          className="flex flex-col gap-8 xl:sticky xl:top-4 xl:order-2 xl:self-start max-xl:mb-4 max-xl:gap-4"
        >
          <RunProgress run={run} busy={jobs.busy} onRetry={jobs.retry} onCancel={jobs.cancel} />
          <div className="grid gap-x-6 gap-y-8 max-xl:max-w-2xl max-xl:grid-cols-2">
            {run.versions.map((version) => (
              <VersionSummary key={version} count={countVerdicts(run.cells, version)} filter={filter} />
            ))}
          </div>
          <KeyLegend />
        </aside>
        <div className="min-w-0">
          {fair > 0 && <FairChoice count={fair} order={order} onChange={setOrder} />}
          <QaBoard
            run={run}
            rows={rows}
            currentVersion={filter?.version}
            judging={judging}
            onOpen={({ id }, part) => setOpen({ id, part })}
            onRetry={(cell) => void jobs.retry([cell])}
          />
        </div>
      </div>
      {open && shown && (
        <CellViewer
          runId={run.id}
          cell={shown}
          rows={rows}
          part={open.part}
          judging={judging}
          onSaved={(cell) => changeCell(cell.id, { note: cell.note, verdict: cell.verdict, etag: cell.etag })}
          onMove={({ id }) => setOpen({ id, part: 'picture' })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface FairChoiceProps {
  /** How many pictures came out fair. */
  count: number;
  order: FairOrder;
  onChange(order: FairOrder): void;
}

/** Brings the photos of fair pictures together. */
const FairChoice = ({ count, order, onChange }: FairChoiceProps) => (
  <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
    <Segmented
      label={say('Photos')}
      value={order}
      options={[
        { value: 'all', label: say('All') },
        { value: 'first', label: say('Fair first') },
        { value: 'only', label: say('Only fair') },
      ]}
      onChange={onChange}
    />
    <p className="text-small text-ink-soft">
      {count === 1
        ? say('1 picture came out fair.')
        : say('{count} pictures came out fair.', { count: numberText(count) })}
    </p>
  </div>
);

function aboutRun({ versions, photo_set, price, created_at }: QaRun): string {
  return say('{versions} on {set}. Started {time}, {credits}.', {
    versions: versionsText(versions),
    set: photo_set.name,
    time: shortTime(created_at),
    credits: creditsText(price),
  });
}

/** The filter as it is now: null when it was deleted, undefined until that is known. */
function useFilterNow(id: string) {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: ['filters', 'now', id],
    queryFn: ({ signal }) =>
      guise.customFilters
        .get(id, signal)
        .then(({ value }) => value)
        .catch((error: unknown) => {
          if (error instanceof GuiseError && error.status === 404) return null;
          throw error;
        }),
  });
  return data;
}

function DeleteRun({ run }: { run: QaRun }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutateAsync: remove } = useMutation({
    mutationKey: qaRunDeletionKey(run.id),
    mutationFn: async () => {
      const { queryKey } = qaRunQuery(guise, run.id);
      await queries.cancelQueries({ queryKey });
      await guise.qaRuns.remove(run.id);
      // The list that is kept still has the run, and its row would read it.
      queries.removeQueries({ queryKey: qaRunsKey, type: 'inactive' });
      await navigate({ to: '/studio/qa' });
      queries.removeQueries({ queryKey });
      toast.tell(say('The run was deleted.'));
    },
  });
  return (
    <Confirm
      trigger={
        <IconButton label={say('Delete the run')}>
          <Trash2 size={18} aria-hidden />
        </IconButton>
      }
      title={say('Delete this run?')}
      text={say(
        'Its verdicts and notes are lost. Pictures that were made stay among the jobs; those that were not are cancelled.',
      )}
      action={say('Delete')}
      onConfirm={() => remove()}
    />
  );
}
