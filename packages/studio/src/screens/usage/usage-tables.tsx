import type { UsageGrouping, UsageRow } from '@guise/contract/usage.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { dollars } from '../../ui/dollars.ts';
import { Problem } from '../../ui/problem.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { familyTitle } from '../jobs/job-words.ts';
import { useKeyNames } from '../jobs/use-key-names.ts';
import type { DayRange } from './usage-search.ts';
import { useFilterNames } from './use-filter-names.ts';
import { useUsage } from './use-usage.ts';

/** What the days came to, by family, filter and key. */
export function UsageTables({ range }: { range: DayRange }) {
  const { keys, keyName } = useKeyNames();
  return (
    <div className="grid items-start gap-x-10 gap-y-10 xl:grid-cols-3">
      <UsageTable
        title={say('By family')}
        column={say('family')}
        by="family"
        range={range}
        nameOf={(row) => (row.family ? familyTitle(row.family) : say('Not known'))}
        searchOf={(row) => row.family && { family: row.family }}
      />
      <FilterTable range={range} />
      <UsageTable
        title={say('By key')}
        column={say('key')}
        by="key"
        range={range}
        nameOf={(row) => keyName(row.key ?? null)}
        searchOf={(row) => keys.some(({ id }) => id === row.key) && { key: row.key! }}
      />
    </div>
  );
}

/** Names are read one by one: of so many filters, or of all where somebody wants to see all. */
const namedFilters = 24;

/** A filter that was named by its id, by an alias and by its number in two catalogs is one line. */
function FilterTable({ range }: { range: DayRange }) {
  const { data } = useUsage('filter', range);
  const [isWhole, setIsWhole] = useState(false);
  const filters = (data?.rows ?? []).flatMap(({ filter }) => filter ?? []);
  const nameOfFilter = useFilterNames(filters.slice(0, isWhole ? undefined : namedFilters));
  const nameOf = ({ filter }: UsageRow) => (filter ? nameOfFilter(filter) : say('Without a filter'));
  return (
    <UsageTable
      title={say('By filter')}
      column={say('filter')}
      by="filter"
      range={range}
      nameOf={nameOf}
      searchOf={(row) => row.filter && { filter: row.filter }}
      merge={(rows) => mergeRows(rows, nameOf)}
      onWhole={setIsWhole}
    />
  );
}

/** One row for each name. One that stands for several filters names none, because no list of jobs is of them all. */
function mergeRows(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): ShownRow[] {
  const merged = new Map<string, ShownRow>();
  for (const row of rows) {
    const name = nameOf(row);
    const same = merged.get(name);
    merged.set(name, same ? { ...addRows(same, row), name, filter: null } : { ...row, name });
  }
  return [...merged.values()];
}

const addRows = (a: UsageRow, b: UsageRow) => ({
  jobs: a.jobs + b.jobs,
  completed: a.completed + b.completed,
  failed: a.failed + b.failed,
  cancelled: a.cancelled + b.cancelled,
  credits: a.credits + b.credits,
  ...(a.cost_usd !== undefined && { cost_usd: a.cost_usd + (b.cost_usd ?? 0) }),
});

/** A row with the name that it was merged by, where rows are merged. */
type ShownRow = UsageRow & { name?: string };

interface UsageTableProps {
  title: string;
  /** Over the names. */
  column: string;
  by: UsageGrouping;
  range: DayRange;
  nameOf(row: UsageRow): string;
  /** What shows the jobs of a row. */
  searchOf(row: UsageRow): { family?: string; filter?: string; key?: string } | false | '' | null | undefined;
  merge?(rows: readonly UsageRow[]): ShownRow[];
  onWhole?(isWhole: boolean): void;
}

const fewRows = 8;

/** The largest first, each with a line as long as its share. */
function UsageTable({ title, column, by, range, nameOf, searchOf, merge, onWhole }: UsageTableProps) {
  const { data, error, refetch } = useUsage(by, range);
  const [isWhole, setIsWhole] = useState(false);
  const read: readonly ShownRow[] = data?.rows ?? [];
  const rows = (merge ? merge(read) : read).toSorted((a, b) => b.credits - a.credits || b.jobs - a.jobs);
  const hasCosts = (data?.total.cost_usd ?? 0) > 0;
  const largest = Math.max(1, ...rows.map(({ credits }) => credits));
  return (
    <section className="min-w-0">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <table className="w-full table-fixed">
        <caption className="mb-1 text-left font-semibold">{title}</caption>
        <thead>
          <tr className="text-small text-ink-soft">
            <th scope="col" className="sr-only">
              {column}
            </th>
            <th scope="col" className="w-14 text-right font-normal">
              {say('jobs')}
            </th>
            <th scope="col" className="w-14 text-right font-normal">
              {say('failed')}
            </th>
            <th scope="col" className="w-18 text-right font-normal">
              {say('credits')}
            </th>
            {hasCosts && (
              <th scope="col" className="w-18 text-right font-normal">
                {say('engines')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, isWhole ? undefined : fewRows).map((row) => (
            <UsageLine
              key={`${row[by as 'family']} ${row.name}`}
              row={row}
              name={row.name ?? nameOf(row)}
              search={searchOf(row)}
              share={row.credits / largest}
              hasCosts={hasCosts}
            />
          ))}
        </tbody>
      </table>
      {data && rows.length === 0 && (
        <p className="border-t py-2 text-ink-soft">{say('Nothing in this period.')}</p>
      )}
      {rows.length > fewRows && (
        <Button
          kind="quiet"
          className="-ml-3.5"
          onClick={() => {
            setIsWhole(!isWhole);
            onWhole?.(!isWhole);
          }}
        >
          {isWhole ? say('Show fewer') : say('Show all {count}', { count: rows.length })}
        </Button>
      )}
    </section>
  );
}

interface UsageLineProps {
  row: UsageRow;
  name: string;
  search: ReturnType<UsageTableProps['searchOf']>;
  /** Of the largest row. */
  share: number;
  hasCosts: boolean;
}

function UsageLine({ row, name, search, share, hasCosts }: UsageLineProps) {
  const failed = row.failed - row.cancelled;
  return (
    <tr className="relative border-t">
      <th scope="row" className="py-2 pr-2 text-left font-normal break-words">
        {search ? (
          <Link to="/studio/jobs" search={search} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
      <td className="text-right text-small">{numberText(row.jobs)}</td>
      <td className={`text-right text-small ${failed > 0 ? 'text-lost' : 'text-ink-soft'}`}>
        {numberText(failed)}
      </td>
      <td className="text-right text-small">
        {numberText(row.credits)}
        <span
          aria-hidden
          className="absolute -bottom-px left-0 h-0.5 bg-ink"
          style={{ width: `${100 * Math.max(0, share)}%` }}
        />
      </td>
      {hasCosts && <td className="text-right text-small text-ink-soft">{dollars(row.cost_usd ?? 0)}</td>}
    </tr>
  );
}
