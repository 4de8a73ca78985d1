import type { BoothEvent, BoothEventChangeInput } from '@guise/contract/events/events.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, Play, Shield, ShieldOff } from 'lucide-react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';
import { eventQuery, eventsKey } from '../event-query.ts';
import { labelOf } from '../event-words.ts';

/** What is switched in the middle of an evening. Booths learn of it within half a minute, the server at once. */
export function EveningSwitches({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: BoothEventChangeInput) => guise.events.change(event.id, wanted),
    onSuccess(changed) {
      queries.setQueryData(eventQuery(guise, event.id).queryKey, changed);
      void queries.invalidateQueries({ queryKey: [...eventsKey, 'list'] });
    },
  });
  const isSending = (name: string) => change.isPending && name in change.variables;
  const safe = event.offers.find(({ id }) => id === event.safe_offer);
  return (
    <>
      {change.error && (
        <p role="alert" className="basis-full text-lost">
          {errorSentence(change.error)}
        </p>
      )}
      {event.state !== 'ended' && (
        <Button
          kind={event.paused ? 'primary' : 'plain'}
          busy={isSending('paused')}
          icon={event.paused ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />}
          onClick={() => change.mutate({ paused: !event.paused })}
        >
          {event.paused ? say('Go on') : say('Pause')}
        </Button>
      )}
      <Button
        kind={event.safe_mode ? 'primary' : 'plain'}
        busy={isSending('safe_mode')}
        disabled={!safe}
        title={
          safe
            ? say('Everything is made with “{offer}” in safe mode.', { offer: labelOf(safe.labels, safe.id) })
            : say('Choose a safe offer first, by “Change”.')
        }
        icon={event.safe_mode ? <ShieldOff size={17} aria-hidden /> : <Shield size={17} aria-hidden />}
        onClick={() => change.mutate({ safe_mode: !event.safe_mode })}
      >
        {event.safe_mode ? say('Leave safe mode') : say('Safe mode')}
      </Button>
      {event.closed ? (
        <Button busy={isSending('closed')} onClick={() => change.mutate({ closed: false })}>
          {say('Open again')}
        </Button>
      ) : (
        event.state !== 'ended' &&
        event.state !== 'planned' && (
          <Confirm
            trigger={<Button busy={isSending('closed')}>{say('End now')}</Button>}
            title={say('End the event now?')}
            text={say(
              'Its booths take no more photos. What is being made is finished, and you may open it again.',
            )}
            action={say('End now')}
            dismiss={say('Go on')}
            loses={false}
            onConfirm={() => change.mutateAsync({ closed: true })}
          />
        )
      )}
    </>
  );
}
