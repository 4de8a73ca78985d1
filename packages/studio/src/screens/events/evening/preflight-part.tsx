import type { BoothEvent } from '@guise/contract/events/events.ts';
import type { PreflightCheck, PreflightState } from '@guise/contract/events/preflight.ts';
import { QrCode } from '@guise/web/qr-code.tsx';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { eventsKey } from '../event-query.ts';
import { saySentences } from '../say-sentences.ts';

const names: Readonly<Record<PreflightCheck['part'], string>> = {
  address: say('Address for guests'),
  window: say('Times'),
  offers: say('Offers and engines'),
  overlays: say('Overlays'),
  labels: say('Languages'),
  budget: say('Budget'),
  storage: say('Storage'),
  printer: say('Printer'),
  mail: say('Mail'),
  stations: say('Booths and cameras'),
};
const marks = {
  green: <CircleCheck size={20} className="text-good" role="img" aria-label={say('In order')} />,
  amber: <CircleAlert size={20} className="text-accent-ink" role="img" aria-label={say('Worth a look')} />,
  red: <CircleX size={20} className="text-lost" role="img" aria-label={say('Not ready')} />,
} as const satisfies Record<PreflightState, unknown>;
const summaries: Readonly<Record<PreflightState, string>> = {
  green: say('Everything is ready.'),
  amber: say('Ready, with something worth a look.'),
  red: say('Not ready.'),
};

/** Whether everything is ready before guests come, and what to do where it is not. */
export function PreflightPart({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...eventsKey, 'preflight', event.id, event.updated_at],
    queryFn: ({ signal }) => guise.events.preflight(event.id, signal),
    refetchInterval: 30_000,
  });
  return (
    <section aria-label={say('Preflight')} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h2>
          {say('Preflight')}
          {data && <span className="ml-3 text-base font-normal text-ink-soft">{summaries[data.state]}</span>}
        </h2>
        <Button kind="quiet" busy={isFetching} onClick={() => void refetch()}>
          {say('Check again')}
        </Button>
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <ul className="grid grid-cols-2 gap-x-10 border-t max-xl:grid-cols-1">
          {data.checks.map((check) => (
            <li
              key={check.part}
              className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-b py-3"
              data-part={check.part}
            >
              {marks[check.state]}
              <div className="min-w-0">
                <p className="font-medium">{names[check.part]}</p>
                <p className="text-small break-words">{saySentences(check.sentence)}</p>
                {check.remedy && <p className="text-small text-ink-soft">{saySentences(check.remedy)}</p>}
                {check.part === 'address' && check.state === 'amber' && (
                  <QrCode
                    text={data.phone_url}
                    label={say('Code for a phone')}
                    className="mt-2 size-36 rounded-card"
                  />
                )}
                {check.part === 'printer' && event.printer_id !== null && (
                  <TestPrint printerId={event.printer_id} />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function TestPrint({ printerId }: { printerId: string }) {
  const guise = useGuise();
  const { tell } = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const print = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await guise.printers.test(printerId);
      tell(say('A test page is on its way to the printer.'));
    } catch (error) {
      setProblem(errorSentence(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button className="mt-2" busy={isBusy} onClick={() => void print()}>
        {say('Print a test page')}
      </Button>
      {problem && (
        <p role="alert" className="text-small text-lost">
          {problem}
        </p>
      )}
    </>
  );
}
