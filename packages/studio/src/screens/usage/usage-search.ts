export const spans = [7, 30, 90] as const;

/** The days that are shown, as the address of the page keeps them. */
export interface UsageSearch {
  days?: (typeof spans)[number];
  /** Own days, such as 2026-07-01, UTC as everything that is counted by day; both are included. */
  from?: string;
  to?: string;
}

const day = 86_400_000;
const longest = 366;

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { from, to } = search;
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  const days = spans.find((span) => span === search.days);
  return days === undefined ? {} : { days };
}

/** The first and the last day. */
export interface DayRange {
  first: string;
  last: string;
}

export function daysOf({ days = 30, from, to }: UsageSearch, now: number): DayRange {
  if (from && to)
    return { first: from > addDays(to, 1 - longest) ? from : addDays(to, 1 - longest), last: to };
  const today = dayText(now);
  return { first: addDays(today, 1 - days), last: today };
}

/** As the server is asked. */
export function usageQueryOf({ first, last }: DayRange) {
  return { from: `${first}T00:00:00Z`, to: `${addDays(last, 1)}T00:00:00Z` };
}

/** Every day from the first to the last. */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / day) + 1;
  return Array.from({ length: count }, (_, at) => addDays(first, at));
}

export const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);
const addDays = (text: string, days: number) => dayText(Date.parse(text) + days * day);

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
