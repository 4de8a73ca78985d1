import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { eventsKey } from '../event-query.ts';
import { receiptKey } from './erasure-receipt.tsx';

interface EraseEventDialogProps {
  event: BoothEvent;
  onClose(): void;
}

/** Asks for the event’s name before everything of its guests is erased. */
export function EraseEventDialog({ event, onClose }: EraseEventDialogProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === event.name;
  const erase = useMutation({
    mutationFn: () => guise.events.erase(event.id),
    async onSuccess(receipt) {
      queries.setQueryData(receiptKey(event.id), receipt);
      await queries.invalidateQueries({ queryKey: eventsKey });
      onClose();
    },
  });
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (isTyped) erase.mutate();
  };
  return (
    <Dialog open title={say('Erase everything of this event')} onClose={onClose}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p>
          {event.jobs === 1
            ? say('1 photo was taken at this event.')
            : say('{count} photos were taken at this event.', { count: numberText(event.jobs) })}{' '}
          {say(
            'Photos, pictures, guests and consents are deleted now, guests’ pages end, booths are signed out, and nothing can be brought back.',
          )}
        </p>
        <TextField
          label={say('Type “{name}” to erase it', { name: event.name })}
          autoComplete="off"
          value={typed}
          onChange={(change) => setTyped(change.target.value)}
        />
        {erase.error && <Problem error={erase.error} />}
        <Button kind="danger" type="submit" disabled={!isTyped} busy={erase.isPending} className="self-end">
          {say('Erase everything')}
        </Button>
      </form>
    </Dialog>
  );
}
