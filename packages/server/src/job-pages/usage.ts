import type { Role } from '@guise/contract/account.ts';
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
  gpu_seconds: number;
  cost: number;
}

/** What the caller's jobs of some days came to, by day, family, filter or key. Days are whole ones. */
export async function readUsage(
  db: Db,
  { id: accountId, role }: { id: string; role: Role },
  query: UsageQuery,
): Promise<Usage> {
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
      add(groupOf(query.by, row, day), { ...row, completed: row.jobs - row.failed - row.live });
    }
  }
  const shown = role === 'operator' ? withCosts : withoutCosts;
  return { rows: rowsOf(query.by, groups, shown), total: shown(total) };
}

type Counts = Usage['total'];

/** What servers take is the operator's money. */
const withoutCosts = ({ gpu_seconds: _, cost: __, ...sums }: Sums): Counts => sums;
const withCosts = ({ gpu_seconds, cost, ...sums }: Sums): Counts => ({
  ...sums,
  gpu_seconds: rounded(gpu_seconds, 3),
  cost_usd: rounded(cost, 6),
});

/** Without what adding up fractions leaves. */
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

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
function rowsOf(
  by: UsageGrouping,
  groups: ReadonlyMap<string, Sums>,
  shown: (sums: Sums) => Counts,
): UsageRow[] {
  const sorted = [...groups].toSorted(([nameA, a], [nameB, b]) =>
    by === 'day' ? nameA.localeCompare(nameB) : b.jobs - a.jobs || nameA.localeCompare(nameB),
  );
  return sorted
    .slice(0, mostRows)
    .map(([name, sums]) => ({ [by]: name === '' ? null : name, ...shown(sums) }));
}

const noJobs = (): Sums => ({
  jobs: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  credits: 0,
  gpu_seconds: 0,
  cost: 0,
});

function addTo(sums: Sums, more: Sums): Sums {
  for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] += more[name];
  return sums;
}

/** RFC 4180, with the grouping as the first column. */
export function writeUsageCsv(by: UsageGrouping, { rows, total }: Usage): string {
  const columns = ['jobs', 'completed', 'failed', 'credits', 'cancelled', 'gpu_seconds', 'cost_usd'] as const;
  const told = columns.filter((name) => total[name] !== undefined);
  const lines = rows.map((row) => [row[by] ?? '', ...told.map((name) => row[name])].join(','));
  return [[by, ...told].join(','), ...lines, ''].join('\r\n');
}
