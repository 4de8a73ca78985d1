import type { WebhookDelivery } from '@guise/contract/webhooks.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

export const deliveriesKey = ['webhook_deliveries'];

const stateWords: Record<WebhookDelivery['status'], string> = {
  pending: say('Waiting'),
  delivered: say('Delivered'),
  failed: say('Failed'),
  disabled: say('Not sent: the endpoint is disabled'),
};

/** A delivery: where it went, what came back, and sending it again. */
export function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const replay = useMutation({
    mutationFn: () => guise.webhooks.replay(delivery.id),
    onSuccess() {
      tell(say('Sending it again.'));
      return queries.invalidateQueries({ queryKey: deliveriesKey });
    },
    onError: (error) => void fail(errorSentence(error)),
  });
  const isFailed = delivery.status === 'failed' || delivery.status === 'disabled';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2.5 md:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <p className="truncate" title={delivery.url}>
          {delivery.url}
        </p>
        <p className={`text-small ${isFailed ? 'text-lost' : 'text-ink-soft'}`}>
          {stateWords[delivery.status]}
          {answerOf(delivery)}
        </p>
        <p className="text-small text-ink-soft">
          {delivery.event},{' '}
          <span title={fullTime(delivery.created_at)}>{shortTime(delivery.created_at)}</span>
          {delivery.attempts > 1 && `, ${say('{count} attempts', { count: delivery.attempts })}`}
          {delivery.next_attempt_at &&
            `, ${say('next {time}', { time: shortTime(delivery.next_attempt_at) })}`}
        </p>
      </div>
      {delivery.job_id !== null && (
        <div className="max-md:hidden">
          <Link
            to="/studio/jobs/$id"
            params={{ id: delivery.job_id }}
            className="inline-grid min-h-9 place-items-center text-small text-accent-ink underline"
          >
            {say('Open the job')}
          </Link>
        </div>
      )}
      <Button busy={replay.isPending} onClick={() => replay.mutate()} className="text-small">
        {say('Send again')}
      </Button>
    </li>
  );
}

function answerOf({ last_status_code, last_error }: WebhookDelivery): string {
  if (last_status_code !== null) return `, ${say('answered {status}', { status: last_status_code })}`;
  return last_error === null ? '' : `: ${sayOfServer(last_error)}`;
}
