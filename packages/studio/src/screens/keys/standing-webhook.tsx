import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

const queryKey = ['standing_webhook'];

/** The address that is told of every run that names none. */
export function StandingWebhook() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const { data } = useQuery({ queryKey, queryFn: () => guise.webhooks.standing() });
  const [typed, setTyped] = useState<string>();
  const url = typed ?? data?.url ?? '';
  const save = useMutation({
    mutationFn: (next: string | null) => guise.webhooks.setStanding(next),
    onSuccess(saved) {
      queries.setQueryData(queryKey, saved);
      setTyped(undefined);
      tell(
        saved.url === null ? say('Only addresses that runs name are told.') : say('The address is saved.'),
      );
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(url.trim());
  };
  if (!data) return null;
  return (
    <section aria-label={say('Address for all runs')} className="flex flex-col gap-3">
      <h2>{say('Address for all runs')}</h2>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={say('Webhook address')}
          type="url"
          placeholder="https://example.com/guise"
          autoComplete="url"
          maxLength={2048}
          hint={say('It is told of every run that names no webhook_url of its own.')}
          value={url}
          error={save.error ? errorSentence(save.error) : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            save.reset();
          }}
        />
        <div className="flex gap-2">
          <Button
            type="submit"
            busy={save.isPending}
            disabled={url.trim() === '' || url.trim() === (data.url ?? '')}
          >
            {say('Save')}
          </Button>
          {data.url !== null && (
            <Button kind="quiet" onClick={() => save.mutate(null)}>
              {say('Remove')}
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
