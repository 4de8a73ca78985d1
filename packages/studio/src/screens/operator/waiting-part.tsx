import type { AdmissionRow } from '@guise/contract/operator/operator.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Problem } from '../../ui/problem.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

const readAgainMs = 2000;

/** What callers share in the server's process, who has it and who waits for it. */
export function WaitingPart() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['admission'],
    queryFn: () => guise.operator.admission(),
    refetchInterval: readAgainMs,
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const waiting = data.rows.reduce((total, row) => total + row.waiting, 0);
  return (
    <section aria-label={say('Waiting')} className="flex max-w-7xl flex-col gap-5">
      <p className={waiting === 0 ? 'text-good' : ''}>
        {waiting === 0
          ? say('Nobody waits.')
          : waiting === 1
            ? say('1 request waits for a turn.')
            : say('{count} requests wait for a turn.', { count: numberText(waiting) })}
      </p>
      <ul aria-label={say('What callers share')} className="border-t">
        {data.rows
          // What somebody waits for stands first.
          .toSorted((a, b) => b.waiting - a.waiting)
          .map((row) => (
            <SharedRow key={row.name} row={row} />
          ))}
      </ul>
      <p className="text-small text-ink-soft">
        {say(
          'Accounts take turns, so nobody waits for all of another’s. The figures are of this process since its start.',
        )}
      </p>
    </section>
  );
}

function SharedRow({ row }: { row: AdmissionRow }) {
  const waiting = row.users.filter((user) => user.waiting > 0);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b py-3">
      <p className="min-w-0 font-medium">{sayOfServer(row.title)}</p>
      <p className="text-right">
        {numberText(row.running)} <span className="text-ink-soft">{say('in use')}</span>
      </p>
      <p className="col-span-2 text-small text-ink-soft">
        {row.waiting > 0 && <span className="text-ink">{requests(row.waiting)} </span>}
        {waiting.map(({ owner, waiting: count }) => `${owner}: ${count}`).join(', ')}
        {row.refused > 0 && (
          <span className="text-lost"> {say('{count} refused.', { count: numberText(row.refused) })}</span>
        )}
      </p>
    </li>
  );
}

const requests = (count: number) =>
  count === 1 ? say('1 request waits.') : say('{count} requests wait.', { count: numberText(count) });
