import type { JobState } from '@guise/contract/jobs.ts';
import type { ShownState } from './job-words.ts';

const states: readonly ShownState[] = ['queued', 'running', 'completed', 'failed', 'cancelled'];
const hour = 3_600_000;

/** How far back a list goes. */
export const periods = { '1h': hour, '24h': 24 * hour, '7d': 7 * 24 * hour, '30d': 30 * 24 * hour } as const;
export type Period = keyof typeof periods;

/** What narrows a list of jobs, as the address of the page keeps it. */
export interface JobFilters {
  family?: string | undefined;
  filter?: string | undefined;
  key?: string | undefined;
  state?: ShownState | undefined;
  since?: Period | undefined;
  /** Days, such as 2026-07-01, both included, as the person's clock has them. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface JobsSearch extends JobFilters {
  view?: 'list' | undefined;
}

/** Reads the address. What makes no sense is left out. */
export function readJobsSearch(search: Record<string, unknown>): JobsSearch {
  return {
    ...(search.view === 'list' && { view: 'list' as const }),
    ...textOf(search, 'family'),
    ...textOf(search, 'filter'),
    ...textOf(search, 'key'),
    ...(states.includes(search.state as ShownState) && { state: search.state as ShownState }),
    ...(isPeriod(search.since) && { since: search.since }),
    ...dayOf(search, 'from'),
    ...dayOf(search, 'to'),
  };
}

/** As the server is asked. */
export function jobQueryOf(filters: JobFilters, now: number) {
  const { family, filter, key, state, since, from, to } = filters;
  const times = since
    ? { from: new Date(now - periods[since]).toISOString() }
    : { ...(from && { from: startOf(from, 0) }), ...(to && { to: startOf(to, 1) }) };
  return {
    ...(family && { family }),
    ...(filter && { filter }),
    ...(key && { key_id: key }),
    ...(state && stateQueryOf(state)),
    ...times,
  };
}

/** Those that were cancelled have failed, as the server sees it. */
function stateQueryOf(state: ShownState): { state: JobState; cancelled?: boolean } {
  if (state === 'cancelled') return { state: 'failed', cancelled: true };
  return state === 'failed' ? { state, cancelled: false } : { state };
}
export type JobQuery = ReturnType<typeof jobQueryOf>;

/** Midnight at the beginning of a day, or `daysLater`, on the person's clock. */
function startOf(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

const isPeriod = (value: unknown): value is Period =>
  typeof value === 'string' && Object.hasOwn(periods, value);

function textOf<Name extends string>(search: Record<string, unknown>, name: Name) {
  const value = search[name];
  // The router reads `filter=12` as a number.
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && ({ [name]: text } as Record<Name, string>);
}

function dayOf<Name extends string>(search: Record<string, unknown>, name: Name) {
  const value = search[name];
  const isDay =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  return isDay && ({ [name]: value } as Record<Name, string>);
}
