import type { EventErasure } from '@guise/contract/events/erasure.ts';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { fullTime } from '../../../ui/format-time.ts';
import { Problem } from '../../../ui/problem.tsx';
import { saveBlob } from '../../../ui/save-file.ts';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { eventQuery, eventsKey } from '../event-query.ts';

export const receiptKey = (id: string) => [...eventsKey, 'receipt', id];

type Counted = 'jobs' | 'results' | 'photos' | 'consents' | 'guests' | 'stations' | 'keys_revoked';
const lines: { name: Counted; label: string }[] = [
  { name: 'jobs', label: say('Jobs') },
  { name: 'results', label: say('Pictures and videos') },
  { name: 'photos', label: say('Photos that waited') },
  { name: 'consents', label: say('Consents') },
  { name: 'guests', label: say('Guests') },
  { name: 'stations', label: say('Records of booths') },
  { name: 'keys_revoked', label: say('Keys revoked') },
];

/** What was erased, and what was counted anew after it. Asking again gives the same receipt. */
export function ErasureReceipt({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const isDone = event.erased_at !== null;
  const { data, error, refetch } = useQuery({
    queryKey: receiptKey(event.id),
    // An erasure that was broken off goes on when the person says so.
    enabled: isDone || isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const receipt = await guise.events.erase(event.id);
      void queries.invalidateQueries({ queryKey: eventQuery(guise, event.id).queryKey });
      return receipt;
    },
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return isDone || isAsked ? null : (
      <div className="flex flex-col items-start gap-3">
        <p>{say('Erasing was interrupted. Nothing new is accepted, and data of guests may remain.')}</p>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          {say('Continue erasing')}
        </Button>
      </div>
    );
  return (
    <section aria-label={say('Receipt')} className="flex max-w-2xl flex-col gap-5">
      <div>
        <h2>{say('Receipt of the erasure')}</h2>
        <p className="text-ink-soft">
          {say('Begun {begun}, ended {ended}', {
            begun: fullTime(data.begun_at),
            ended: fullTime(data.erased_at),
          })}
        </p>
      </div>
      <CountsTable receipt={data} />
      <div>
        <h3 className="text-small font-medium">{say('What stays')}</h3>
        <ul className="list-disc pl-5 text-small text-ink-soft">
          {data.kept.map((sentence) => (
            <li key={sentence}>{sayOfServer(sentence)}</li>
          ))}
        </ul>
      </div>
      <Button
        className="self-start"
        icon={<Download size={17} aria-hidden />}
        onClick={() => {
          const text = JSON.stringify(data, null, 2);
          saveBlob(new Blob([text], { type: 'application/json' }), `erasure-${event.id}.json`);
        }}
      >
        {say('Save the receipt')}
      </Button>
    </section>
  );
}

function CountsTable({ receipt }: { receipt: EventErasure }) {
  const remaining = Object.values(receipt.remaining).reduce((sum, left) => sum + left, 0);
  return (
    <table className="w-full border-t text-left">
      <thead className="sr-only">
        <tr>
          <th>{say('What')}</th>
          <th>{say('Erased')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, label }) => (
          <tr key={name} className="border-b">
            <th scope="row" className="py-2 font-normal">
              {label}
            </th>
            <td className="py-2 text-right font-medium">{numberText(receipt[name])}</td>
          </tr>
        ))}
        <tr className="border-b">
          <th scope="row" className="py-2 font-normal">
            {say('Left, counted anew among rows and files')}
          </th>
          <td className={`py-2 text-right font-semibold ${remaining === 0 ? 'text-good' : 'text-lost'}`}>
            {numberText(remaining)}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
