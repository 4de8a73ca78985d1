import type { QaRunEntry } from '@guise/contract/qa-runs.ts';
import { Link } from '@tanstack/react-router';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { sayParts } from '../../words/say.ts';
import { judgedText, percent, versionsText } from './qa-words.ts';
import { RunStrip } from './run-strip.tsx';
import { useQaRun } from './use-qa-run.ts';

const row =
  'grid grid-cols-[14rem_minmax(0,1fr)_9rem] items-center gap-x-6 gap-y-3 py-4 max-md:grid-cols-[minmax(0,1fr)_auto]';

/** A run: its filter, its first pictures, its pass rate. */
export function QaRunRow({ run }: { run: QaRunEntry }) {
  const { run: full } = useQaRun(run.id);
  return (
    <li className="border-b">
      <Link to="/studio/qa/$id" params={{ id: run.id }} className={`group ${row}`}>
        <div className="min-w-0">
          <h2 className="line-clamp-2 group-hover:underline">{run.filter.name}</h2>
          <p className="truncate text-small text-ink-soft">{versionsText(run.versions)}</p>
          <p className="truncate text-small text-ink-soft">{run.photo_set.name}</p>
        </div>
        <div className="min-w-0 max-md:order-3 max-md:col-span-2">
          <RunStrip cells={full?.cells} />
        </div>
        <PassRate run={run} />
      </Link>
    </li>
  );
}

function PassRate({ run }: { run: QaRunEntry }) {
  const sum = (field: 'cells' | 'good' | 'bad') =>
    run.results.reduce((total, result) => total + result[field], 0);
  const verdicts = { cells: sum('cells'), good: sum('good'), bad: sum('bad') };
  return (
    <div className="text-right">
      {run.pass_rate !== null && (
        <p>
          {sayParts('{rate} good', {
            rate: <span className="text-title font-semibold">{percent(run.pass_rate)}</span>,
          })}
        </p>
      )}
      <p className="text-small text-ink-soft">{judgedText(verdicts)}</p>
      <time dateTime={run.created_at} title={fullTime(run.created_at)} className="text-small text-ink-soft">
        {shortTime(run.created_at)}
      </time>
    </div>
  );
}

export const QaRunRowLoading = () => (
  <div className={`border-b ${row}`}>
    <span className="h-5 w-40 rounded-card bg-panel" />
    <span className="h-28 rounded-card bg-panel max-md:order-3 max-md:col-span-2" />
    <span className="h-5 w-20 justify-self-end rounded-card bg-panel" />
  </div>
);
