import type { Usage } from '@guise/contract/usage.ts';
import { useSession } from '../../app/session.tsx';

/** The sums of the days, in one sentence of figures. */
export function UsageTotals({ usage }: { usage: Usage | undefined }) {
  const { balance } = useSession().me;
  const total = usage?.total;
  const parts: [number | undefined, string][] = [
    [total?.credits, 'credits spent'],
    [total?.jobs, 'jobs'],
    [total && total.failed - total.cancelled, 'failed'],
    [total?.cancelled, 'cancelled'],
    [balance, 'credits left'],
  ];
  return (
    <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {parts.map(([value, label]) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-small text-ink-soft">{label}</dt>
          <dd className="text-title font-semibold">{value?.toLocaleString('en') ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
