import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { SecretNote } from '../../ui/secret-note.tsx';
import { say, sayParts } from '../../words/say.ts';

const queryKey = ['webhook_secret'];

/** What receivers verify signatures with. */
export function WebhookSecret() {
  const guise = useGuise();
  const queries = useQueryClient();
  const [rolled, setRolled] = useState<string>();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => guise.webhooks.secret() });
  const roll = async () => {
    const { secret, ...info } = await guise.webhooks.rollSecret();
    queries.setQueryData(queryKey, info);
    setRolled(secret);
  };
  return (
    <section aria-label={say('Secret')} className="flex flex-col gap-3">
      <h2>{say('Secret')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {rolled !== undefined ? (
        <SecretNote
          title={say('The new secret')}
          text={say(
            'Copy it now: it is not shown again. Deliveries are signed with it and, for 24 hours, with the old one too.',
          )}
          secrets={[{ label: say('Secret'), value: rolled }]}
          onDone={() => setRolled(undefined)}
        />
      ) : (
        data && (
          <p className="text-ink-soft">
            {sayParts('Every delivery is signed with the secret that ends in {last4}, made {time}.', {
              last4: <span className="font-mono text-small text-ink">{data.last4}</span>,
              time: shortTime(data.created_at),
            })}
            {data.previous_signs_until &&
              ` ${say('The one before signs too until {time}.', { time: fullTime(data.previous_signs_until) })}`}
          </p>
        )
      )}
      {rolled === undefined && (
        <Confirm
          trigger={<Button className="self-start">{say('Roll the secret')}</Button>}
          title={say('Make a new secret?')}
          text={say(
            'The new one is shown once. The old one signs for 24 hours more: change your receivers within that time.',
          )}
          action={say('Roll')}
          onConfirm={roll}
        />
      )}
    </section>
  );
}
