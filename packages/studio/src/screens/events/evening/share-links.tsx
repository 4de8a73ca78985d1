import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AddressWarning } from '../../../app/guest-address/address-warning.tsx';
import { useGuestAddress } from '../../../app/guest-address/use-guest-address.ts';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';
import { eventsKey } from '../event-query.ts';

const places = [
  {
    name: 'wall',
    label: say('Wall, for a projector'),
    open: say('Open the wall'),
    copy: say('Copy the link of the wall'),
  },
  {
    name: 'gallery',
    label: say('Gallery, for guests'),
    open: say('Open the gallery'),
    copy: say('Copy the link of the gallery'),
  },
] as const;

/** The links to the wall and the gallery, where the event shows pictures there. */
export function ShareLinks({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const { linkFor } = useGuestAddress();
  const { wall, gallery } = event;
  const queryKey = [...eventsKey, 'links', event.id, wall, gallery];
  const isShown = wall !== 'off' || gallery !== 'off';
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => guise.events.links(event.id, signal),
    enabled: isShown,
  });
  if (!isShown) return null;
  const roll = async () => {
    queries.setQueryData(queryKey, await guise.events.rollLinks(event.id));
    tell(say('New links made.'));
  };
  return (
    <section aria-label={say('Wall and gallery')} className="flex min-w-0 flex-col gap-3">
      <h2>{say('Wall and gallery')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <AddressWarning />}
      {data && (
        <ul className="border-t">
          {places.map(({ name, label, open, copy }) => {
            const url = data[name] && linkFor(data[name].url);
            return (
              url && (
                <li key={name} className="flex flex-wrap items-center justify-between gap-3 border-b py-3">
                  <p className="font-medium">{label}</p>
                  <div className="flex flex-wrap gap-2">
                    <a href={url} target="_blank" rel="noreferrer" className={plainLink}>
                      {open}
                    </a>
                    <CopyButton text={url} label={copy} />
                  </div>
                </li>
              )
            );
          })}
        </ul>
      )}
      <Confirm
        trigger={
          <Button kind="quiet" className="-ml-3.5 self-start">
            {say('Make new links')}
          </Button>
        }
        title={say('Make new links?')}
        text={say('The current links of the wall and the gallery stop working, and open walls close.')}
        action={say('Make new links')}
        onConfirm={roll}
      />
    </section>
  );
}
