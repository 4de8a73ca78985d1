import type { Usage } from '@guise/contract/usage.ts';
import { useSession } from '../../app/session.tsx';
import { dollars } from '../../ui/dollars.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

/** The sums of the days, in one sentence of figures. */
export function UsageTotals({ usage }: { usage: Usage | undefined }) {
  const { balance } = useSession().me;
  const total = usage?.total;
  const parts: [string | undefined, string][] = [
    [shown(total?.credits), say('credits spent')],
    [shown(total?.jobs), say('jobs')],
    [shown(total && total.failed - total.cancelled), say('failed')],
    [shown(total?.cancelled), say('cancelled')],
    [shown(balance), say('credits left')],
  ];
  if (total?.cost_usd) parts.push([dollars(total.cost_usd), say('for engines')]);
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

const shown = (value: number | undefined) => (value === undefined ? undefined : numberText(value));
