import type { BoothEvent } from '@guise/contract/events/events.ts';
import type { CreatedKey, Key } from '@guise/contract/keys.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { Problem } from '../../../ui/problem.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import { KeyRow } from '../../keys/key-row.tsx';
import { BoothLink } from './booth-link.tsx';
import { eventKeysKey } from './use-evening.ts';

/** One key for each booth: its link opens the booth page, and it can be revoked without the others. */
export function BoothKeys({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [made, setMade] = useState<CreatedKey>();
  const keys = useQuery({
    queryKey: eventKeysKey(event.id),
    queryFn: async ({ signal }) => {
      const found: Key[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await guise.keys.list(cursor, signal);
        found.push(...page.keys.filter(({ event_id, state }) => event_id === event.id && state === 'valid'));
        if (page.next_cursor === null) return found;
        cursor = page.next_cursor;
      }
    },
  });
  const make = useMutation({
    mutationFn: () => guise.events.createKey(event.id, { name: name.trim() }),
    onSuccess(key) {
      setMade(key);
      setName('');
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (name.trim() !== '') make.mutate();
  };
  return (
    <section aria-label={say('Booth keys')} className="flex min-w-0 flex-col gap-3">
      <div>
        <h2>{say('Booth keys')}</h2>
        <p className="text-small text-ink-soft">
          {say('A key can do nothing but what booths of this event do. Make one for each tablet.')}
        </p>
      </div>
      {made && <BoothLink eventId={event.id} made={made} onDone={() => setMade(undefined)} />}
      <form onSubmit={submit} noValidate className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            label={say('Name of the booth')}
            placeholder={say('Foyer, left')}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(change) => setName(change.target.value)}
          />
        </div>
        <Button
          type="submit"
          kind={made ? 'plain' : 'primary'}
          busy={make.isPending}
          disabled={name.trim() === ''}
        >
          {say('Make a key')}
        </Button>
      </form>
      {make.error && (
        <p role="alert" className="text-lost">
          {errorSentence(make.error)}
        </p>
      )}
      {keys.error && <Problem error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data && keys.data.length > 0 && (
        <ul aria-label={say('Keys of this event')} className="border-t">
          {keys.data.map((key) => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      )}
    </section>
  );
}
