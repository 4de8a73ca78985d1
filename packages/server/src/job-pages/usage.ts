import type { Usage, UsageGrouping, UsageQuery, UsageRow } from '@guise/contract/usage.ts';
import { invalidField } from '../errors.ts';
import { firstIdAt } from '../ids.ts';
import type { Db } from '../store/db.ts';
import { dayMs, listFormerUsage, sumJobs } from '../store/reports/usage-records.ts';

/** Whole days, UTC, by their number since 1970: from the first to before the last. */
interface Days {
  first: number;
  end: number;
}

const mostDays = 366;
const defaultDays = 30;
/** Of filters and keys, those with the most jobs are shown; the total is of all. */
const mostRows = 1000;
/** Jobs that are read at once. */
const batch = 2000;

interface Sums {
  jobs: number;
  completed: number;
  failed: number;
  cancelled: number;
  credits: number;
}

/** What the caller's jobs of some days came to, by day, family, filter or key. Days are whole ones. */
export async function readUsage(db: Db, accountId: string, query: UsageQuery): Promise<Usage> {
  const days = daysOf(query, db.now());
  const groups = new Map<string, Sums>();
  const total = noJobs();
  const add = (name: string, sums: Sums) => {
    const group = groups.get(name) ?? noJobs();
    groups.set(name, addTo(group, sums));
    addTo(total, sums);
  };
  for (const row of await db.all(listFormerUsage, {
    account_id: accountId,
    since: days.first,
    before: days.end,
  }))
    add(groupOf(query.by, row, row.day), { ...row, completed: row.jobs - row.failed });
  for (let day = days.first; day < days.end; day++) {
    for await (const row of sumsOfDay(db, accountId, day)) {
      const { jobs, failed, cancelled, live, credits } = row;
      add(groupOf(query.by, row, day), { jobs, completed: jobs - failed - live, failed, cancelled, credits });
    }
  }
  return { rows: rowsOf(query.by, groups), total };
}

async function* sumsOfDay(db: Db, account_id: string, day: number) {
  const [since, before] = [firstIdAt(day * dayMs), firstIdAt((day + 1) * dayMs)];
  for (let after = ''; ; ) {
    const rows = await db.all(sumJobs, { account_id, after, since, before, limit: batch });
    yield* rows;
    if (rows.reduce((count, { jobs }) => count + jobs, 0) < batch) return;
    after = rows.reduce((last, row) => (row.last > last ? row.last : last), after);
  }
}

function daysOf({ from, to }: UsageQuery, now: number): Days {
  const end = Math.ceil((to === undefined ? now + 1 : Date.parse(to)) / dayMs);
  const first = from === undefined ? end - defaultDays : Math.floor(Date.parse(from) / dayMs);
  if (first >= end) throw invalidField('from', 'must be before `to`');
  if (end - first > mostDays) throw invalidField('from', `must be at most ${mostDays} days before \`to\``);
  return { first, end };
}

function groupOf(
  by: UsageGrouping,
  row: { family: string; filter_ref: string; key_id: string },
  day: number,
): string {
  switch (by) {
    case 'day':
      return new Date(day * dayMs).toISOString().slice(0, 10);
    case 'family':
      return row.family;
    case 'filter':
      return row.filter_ref;
    case 'key':
      return row.key_id;
  }
}

/** Days in their order; the others by how many jobs they have. */
function rowsOf(by: UsageGrouping, groups: ReadonlyMap<string, Sums>): UsageRow[] {
  const sorted = [...groups].toSorted(([nameA, a], [nameB, b]) =>
    by === 'day' ? nameA.localeCompare(nameB) : b.jobs - a.jobs || nameA.localeCompare(nameB),
  );
  return sorted.slice(0, mostRows).map(([name, sums]) => ({ [by]: name === '' ? null : name, ...sums }));
}

const noJobs = (): Sums => ({ jobs: 0, completed: 0, failed: 0, cancelled: 0, credits: 0 });

function addTo(sums: Sums, { jobs, completed, failed, cancelled, credits }: Sums): Sums {
  sums.jobs += jobs;
  sums.completed += completed;
  sums.failed += failed;
  sums.cancelled += cancelled;
  sums.credits += credits;
  return sums;
}

/** RFC 4180, with the grouping as the first column. */
export function writeUsageCsv(by: UsageGrouping, { rows }: Usage): string {
  const lines = rows.map((row) =>
    [row[by] ?? '', row.jobs, row.completed, row.failed, row.credits, row.cancelled].join(','),
  );
  return [`${by},jobs,completed,failed,credits,cancelled`, ...lines, ''].join('\r\n');
}
