import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Stethoscope } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { fullTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { operatorSentence } from './operator-sentence.ts';
import { StateMark } from './state-mark.tsx';

const queryKey = ['doctor'];

/** Runs the checks of the installation when asked, and keeps what they found until they run again. */
export function DoctorPart() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => guise.operator.doctor(signal),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const run = (
    <Button
      kind={data ? 'plain' : 'primary'}
      busy={isFetching}
      icon={<Stethoscope size={17} aria-hidden />}
      onClick={() => void refetch()}
    >
      {say(data ? 'Check again' : 'Run the checks')}
    </Button>
  );
  const wrong = data?.findings.filter(({ ok }) => !ok).length ?? 0;
  return (
    <div className="flex max-w-7xl flex-col gap-5" aria-live="polite">
      {isFetching && (
        <div className="flex max-w-md items-end gap-4">
          <div className="flex-1">
            <ProgressBar label={say('Checking the installation')} share={null} />
          </div>
          <Button kind="quiet" onClick={() => void queries.cancelQueries({ queryKey })}>
            {say('Cancel')}
          </Button>
        </div>
      )}
      {error && !isFetching && <Problem error={error} />}
      {data ? (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {run}
            <p className={wrong === 0 ? 'text-good' : 'text-lost'}>
              {wrong === 0
                ? say('Everything is in order.')
                : wrong === 1
                  ? say('One problem found.')
                  : say('{count} things are wrong.', { count: wrong })}
            </p>
            <p className="text-small text-ink-soft">{fullTime(new Date(dataUpdatedAt).toISOString())}</p>
          </div>
          <ul aria-label={say('Checks')} className="border-t">
            {data.findings
              // What is wrong stands first.
              .toSorted((a, b) => Number(a.ok) - Number(b.ok))
              .map(({ what, ok, says }) => (
                <li
                  key={what}
                  className="grid grid-cols-[auto_minmax(0,1fr)_minmax(0,2fr)] gap-x-3 border-b py-2.5 max-md:grid-cols-[auto_minmax(0,1fr)]"
                >
                  <StateMark ok={ok} label={say(ok ? 'In order' : 'Problem')} />
                  <p className="font-medium first-letter:uppercase">{sayOfServer(what)}</p>
                  <p className={`break-words max-md:col-start-2 ${ok ? 'text-ink-soft' : 'text-lost'}`}>
                    {operatorSentence(says)}
                  </p>
                </li>
              ))}
          </ul>
        </>
      ) : (
        !isFetching && (
          <EmptyState
            title={say('Check the installation')}
            text={say(
              'The checks look at the machine, the records, the pictures, the models and the engines. They take a few seconds.',
            )}
          >
            {run}
          </EmptyState>
        )
      )}
    </div>
  );
}
