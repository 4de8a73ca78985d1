import type { BoothEvent } from '@guise/contract/events/events.ts';
import type { EventMail } from '@guise/contract/events/mails.ts';
import type { EventPrint } from '@guise/contract/events/prints.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { fullTime, shortTime } from '../../../ui/format-time.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { eventsKey } from '../event-query.ts';
import { saySentences } from '../say-sentences.ts';

const readAgainMs = 3000;
const shown = 20;

const printWords: Readonly<Record<EventPrint['state'], string>> = {
  waiting: say('Waiting'),
  printing: say('Being printed'),
  printed: say('Printed'),
  failed: say('Failed'),
  cancelled: say('Cancelled'),
};
const mailWords: Readonly<Record<EventMail['state'], string>> = {
  waiting: say('Waiting'),
  sent: say('Sent'),
  failed: say('Not delivered'),
};

/** What is printed, with what holds it up. */
export function PrintsPart({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const { tell } = useToast();
  const { data, error, refetch } = useQuery({
    queryKey: [...eventsKey, 'prints', event.id],
    queryFn: ({ signal }) => guise.events.prints(event.id, { limit: shown }, signal),
    refetchInterval: readAgainMs,
    enabled: event.printer_id !== null,
  });
  if (event.printer_id === null) return null;
  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      tell(done);
    } catch (failure) {
      tell(errorSentence(failure));
    }
    await refetch();
  };
  const again = ({ job_ids, layout, copies }: EventPrint) =>
    act(() => guise.events.print(event.id, { job_ids, layout, copies }), say('It is printed again.'));
  return (
    <section aria-label={say('Prints')} className="min-w-0">
      <h2 className="mb-3">{say('Prints')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.prints.length === 0 && <p className="text-ink-soft">{say('Nothing has been printed yet.')}</p>}
      <ul className="border-t empty:hidden">
        {data?.prints.map((print) => (
          <li
            key={print.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-2"
          >
            <div className="min-w-0">
              <p>
                <span className="font-medium">{printWords[print.state]}</span>
                <span className="text-small text-ink-soft" title={fullTime(print.created_at)}>
                  {' '}
                  {shortTime(print.created_at)} ·{' '}
                  {print.copies === 1
                    ? say('1 copy')
                    : say('{count} copies', { count: numberText(print.copies) })}{' '}
                  · {print.layout}
                </span>
              </p>
              {print.sentence && <p className="text-small text-lost">{saySentences(print.sentence)}</p>}
            </div>
            {print.ended_at === null ? (
              <Button
                kind="quiet"
                onClick={() =>
                  void act(() => guise.events.cancelPrint(event.id, print.id), say('The print is cancelled.'))
                }
              >
                {say('Cancel')}
              </Button>
            ) : (
              <Button kind="quiet" onClick={() => void again(print)}>
                {say('Print again')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was mailed, with what mail servers refused. */
export function MailsPart({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: [...eventsKey, 'mails', event.id],
    queryFn: ({ signal }) => guise.events.mails(event.id, { limit: shown }, signal),
    refetchInterval: 5 * readAgainMs,
    enabled: event.mail !== null,
  });
  if (event.mail === null) return null;
  return (
    <section aria-label={say('Mails')} className="min-w-0">
      <h2 className="mb-3">{say('Mails')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.mails.length === 0 && (
        <p className="text-ink-soft">{say('No guest has asked for a mail yet.')}</p>
      )}
      <ul className="border-t empty:hidden">
        {data?.mails.map((mail) => (
          <li key={mail.id} className="border-b py-2">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0 break-all">{mail.address}</span>
              <span className={mail.state === 'failed' ? 'text-lost' : 'text-ink-soft'}>
                {mailWords[mail.state]} · {shortTime(mail.ended_at ?? mail.created_at)}
              </span>
            </p>
            {mail.sentence && <p className="text-small text-lost">{sayOfServer(mail.sentence)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
