import type { UsageRow } from '@guise/contract/usage.ts';
import { useMemo, useState } from 'react';
import { creditsText } from '../../ui/credits-text.ts';
import { locale, numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { DayBars } from './day-bars.tsx';
import { type DayRange, daysBetween } from './usage-search.ts';

interface UsageChartProps {
  rows: readonly UsageRow[];
  range: DayRange;
}

const dayName = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Credits and jobs of each day, one above the other. The day under the pointer is told in words. */
export function UsageChart({ rows, range: { first, last } }: UsageChartProps) {
  const days = useMemo(() => daysOfRows(rows, daysBetween(first, last)), [rows, first, last]);
  const [pointed, setPointed] = useState<number | null>(null);
  const times = useMemo(() => days.map(({ day }) => Date.parse(day) / 1000), [days]);
  const credits = useMemo(() => [days.map((day) => day.credits)], [days]);
  const jobs = useMemo(() => [days.map((day) => day.jobs), days.map((day) => day.failed)], [days]);
  const day = pointed === null ? undefined : days[pointed];
  return (
    <figure>
      <figcaption className="mb-2 min-h-5 text-small text-ink-soft">
        {day
          ? `${dayName.format(new Date(day.day))}: ${sentence(day)}`
          : say('Days are in UTC. Hover or tap a day for details.')}
      </figcaption>
      <DayBars
        label={say('Credits by day')}
        times={times}
        values={credits}
        height={200}
        onPoint={setPointed}
      />
      <DayBars
        label={say('Jobs by day, failed ones in red')}
        times={times}
        values={jobs}
        height={150}
        hasDays
        onPoint={setPointed}
      />
      <DayTable days={days} />
    </figure>
  );
}

type Day = { day: string; credits: number; jobs: number; failed: number; cancelled: number };

/** Days without a job are there too. */
function daysOfRows(rows: readonly UsageRow[], days: readonly string[]): Day[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => {
    const { credits = 0, jobs = 0, failed = 0, cancelled = 0 } = byDay.get(day) ?? {};
    // A cancelled job is FAILED on the wire.
    return { day, credits, jobs, failed: failed - cancelled, cancelled };
  });
}

const sentence = ({ credits, jobs, failed, cancelled }: Day) =>
  [
    creditsText(credits),
    jobs === 1 ? say('1 job') : say('{count} jobs', { count: numberText(jobs) }),
    ...(failed > 0 ? [say('{count} failed', { count: numberText(failed) })] : []),
    ...(cancelled > 0 ? [say('{count} cancelled', { count: numberText(cancelled) })] : []),
  ].join(', ');

/** The same numbers for those who cannot see the bars. */
function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <details className="mt-1 text-small">
      <summary className="inline-flex min-h-9 cursor-pointer items-center text-ink-soft hover:text-ink">
        {say('Days as a table')}
      </summary>
      <table className="w-full max-w-lg">
        <thead className="text-ink-soft">
          <tr>
            {[say('Day'), say('Jobs'), say('Failed'), say('Cancelled'), say('Credits')].map((name, at) => (
              <th key={name} scope="col" className={`font-normal ${at === 0 ? 'text-left' : 'text-right'}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="border-t">
              <th scope="row" className="py-1.5 text-left font-normal">
                {day.day}
              </th>
              <td className="text-right">{numberText(day.jobs)}</td>
              <td className="text-right">{numberText(day.failed)}</td>
              <td className="text-right">{numberText(day.cancelled)}</td>
              <td className="text-right">{numberText(day.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
