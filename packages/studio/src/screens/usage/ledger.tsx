import type { Credits } from '@guise/contract/account.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { fullTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { shortId } from '../../ui/short-id.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

const words: Record<string, string> = {
  grant: say('Granted'),
  charge: say('Charged'),
  refund: say('Returned'),
};

/** Every change of the balance, newest first. */
export function Ledger() {
  const guise = useGuise();
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['ledger'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => guise.account.credits(pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <section>
      <table className="w-full max-w-3xl">
        <caption className="mb-1 text-left font-semibold">{say('Ledger')}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{say('Time')}</th>
            <th scope="col">{say('What')}</th>
            <th scope="col">{say('Job')}</th>
            <th scope="col">{say('Credits')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <LedgerLine key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <Button className="mt-3" busy={isFetching} onClick={() => void fetchNextPage()}>
          {say('Show more')}
        </Button>
      )}
    </section>
  );
}

function LedgerLine({ entry }: { entry: Credits['entries'][number] }) {
  return (
    <tr className="border-t text-small">
      <td className="py-2 pr-3 text-ink-soft">{fullTime(entry.created_at)}</td>
      <td className="pr-3">{words[entry.reason] ?? entry.reason}</td>
      <td className="pr-3 max-sm:hidden">
        {entry.job_id && (
          <Link
            to="/studio/jobs/$id"
            params={{ id: entry.job_id }}
            className="text-ink-soft hover:text-ink hover:underline"
          >
            {say('Job {id}', { id: shortId(entry.job_id) })}
          </Link>
        )}
      </td>
      <td className="text-right">
        {entry.amount > 0 ? '+' : '−'}
        {numberText(Math.abs(entry.amount))}
      </td>
    </tr>
  );
}
