import type { Usage } from '@guise/contract/usage.ts';
import { useSession } from '../../app/session.tsx';
import { dollars } from '../../ui/dollars.ts';

/** The sums of the days, in one sentence of figures. */
export function UsageTotals({ usage }: { usage: Usage | undefined }) {
  const { balance } = useSession().me;
  const total = usage?.total;
  const parts: [string | undefined, string][] = [
    [shown(total?.credits), 'credits spent'],
    [shown(total?.jobs), 'jobs'],
    [shown(total && total.failed - total.cancelled), 'failed'],
    [shown(total?.cancelled), 'cancelled'],
    [shown(balance), 'credits left'],
  ];
  if (total?.cost_usd) parts.push([dollars(total.cost_usd), 'for engines']);
  return (
    <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {parts.map(([value, label]) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-small text-ink-soft">{label}</dt>
          <dd className="text-title font-semibold">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

const shown = (value: number | undefined) => value?.toLocaleString('en');
