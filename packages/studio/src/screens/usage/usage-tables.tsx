import type { UsageGrouping, UsageRow } from '@guise/contract/usage.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { familyTitle } from '../jobs/job-words.ts';
import { useKeyNames } from '../jobs/use-key-names.ts';
import { FilterName } from './filter-name.tsx';
import type { DayRange } from './usage-search.ts';
import { useUsage } from './use-usage.ts';

/** What the days came to, by family, filter and key. */
export function UsageTables({ range }: { range: DayRange }) {
  const { keyName } = useKeyNames();
  return (
    <div className="grid items-start gap-x-10 gap-y-10 xl:grid-cols-3">
      <UsageTable
        title="By family"
        by="family"
        range={range}
        nameOf={(row) => (row.family ? familyTitle(row.family) : 'Not known')}
        searchOf={(row) => row.family && { family: row.family }}
      />
      <UsageTable
        title="By filter"
        by="filter"
        range={range}
        nameOf={(row) => (row.filter ? <FilterName filter={row.filter} /> : 'Without a filter')}
        searchOf={(row) => row.filter && { filter: row.filter }}
      />
      <UsageTable
        title="By key"
        by="key"
        range={range}
        nameOf={(row) => keyName(row.key ?? null)}
        searchOf={(row) => row.key && { key: row.key }}
      />
    </div>
  );
}

interface UsageTableProps {
  title: string;
  by: UsageGrouping;
  range: DayRange;
  nameOf(row: UsageRow): ReactNode;
  /** What shows the jobs of a row. */
  searchOf(row: UsageRow): { family?: string; filter?: string; key?: string } | '' | null | undefined;
}

const fewRows = 8;

/** The largest first, each with a line as long as its share. */
function UsageTable({ title, by, range, nameOf, searchOf }: UsageTableProps) {
  const { data, error, refetch } = useUsage(by, range);
  const [isWhole, setIsWhole] = useState(false);
  const rows = (data?.rows ?? []).toSorted((a, b) => b.credits - a.credits || b.jobs - a.jobs);
  const largest = Math.max(1, ...rows.map(({ credits }) => credits));
  return (
    <section className="min-w-0">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <table className="w-full table-fixed">
        <caption className="mb-1 text-left font-semibold">{title}</caption>
        <thead>
          <tr className="text-small text-ink-soft">
            <th scope="col" className="sr-only">
              {title.slice(3)}
            </th>
            <th scope="col" className="w-14 text-right font-normal">
              jobs
            </th>
            <th scope="col" className="w-14 text-right font-normal">
              failed
            </th>
            <th scope="col" className="w-18 text-right font-normal">
              credits
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, isWhole ? undefined : fewRows).map((row) => {
            const name = nameOf(row);
            const search = searchOf(row);
            return (
              <tr key={row[by as 'family'] ?? ''} className="relative border-t">
                <th scope="row" className="py-2 pr-2 text-left font-normal break-words">
                  {search ? (
                    <Link to="/studio/jobs" search={search} className="hover:underline">
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                </th>
                <td className="text-right text-small">{row.jobs.toLocaleString('en')}</td>
                <td className={`text-right text-small ${row.failed > 0 ? 'text-lost' : 'text-ink-soft'}`}>
                  {row.failed.toLocaleString('en')}
                </td>
                <td className="text-right text-small">
                  {row.credits.toLocaleString('en')}
                  <span
                    aria-hidden
                    className="absolute -bottom-px left-0 h-0.5 bg-ink"
                    style={{ width: `${(100 * Math.max(0, row.credits)) / largest}%` }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {data && rows.length === 0 && <p className="border-t py-2 text-ink-soft">Nothing in these days.</p>}
      {rows.length > fewRows && (
        <Button kind="quiet" className="-ml-3.5" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${rows.length}`}
        </Button>
      )}
    </section>
  );
}
