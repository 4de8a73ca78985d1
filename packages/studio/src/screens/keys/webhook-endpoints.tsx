import type { WebhookEndpoint } from '@guise/contract/webhooks.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { shortTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

/** Every address that jobs have named, and whether it still gets deliveries. */
export function WebhookEndpoints() {
  const guise = useGuise();
  const { pages, error, readAgain, more } = usePages(['webhook_endpoints'], guise.webhooks.endpoints);
  const endpoints = pages?.flatMap((page) => page.webhook_endpoints);
  return (
    <section aria-label={say('Endpoints')}>
      <h2 className="mb-2">{say('Endpoints')}</h2>
      {error && <Problem error={error} onRetry={readAgain} />}
      {endpoints?.length === 0 && (
        <p className="text-ink-soft">
          {say('None yet. An address appears here when something was sent to it.')}
        </p>
      )}
      {endpoints && endpoints.length > 0 && (
        <ul className="border-t">
          {endpoints.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      <ShowMore more={more} />
    </section>
  );
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const enable = useMutation({
    mutationFn: () => guise.webhooks.enableEndpoint(endpoint.id),
    onSuccess() {
      tell(say('The endpoint gets deliveries again.'));
      return queries.invalidateQueries({ queryKey: ['webhook_endpoints'] });
    },
    onError: (error) => void fail(errorSentence(error)),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate" title={endpoint.url}>
          {endpoint.url}
        </p>
        <p className={`text-small ${endpoint.failing_since ? 'text-lost' : 'text-ink-soft'}`}>
          {endpointSentence(endpoint)}
        </p>
      </div>
      {endpoint.status === 'disabled' && (
        <Button busy={enable.isPending} onClick={() => enable.mutate()}>
          {say('Enable')}
        </Button>
      )}
    </li>
  );
}

function endpointSentence({ status, failures, failing_since, disabled_at, created_at }: WebhookEndpoint) {
  const failed =
    failures === 1 ? say('1 delivery failed') : say('{count} deliveries failed', { count: failures });
  if (status === 'disabled')
    return disabled_at
      ? say('Disabled {time}: {failed}.', { time: shortTime(disabled_at), failed })
      : say('Disabled: {failed}.', { failed });
  if (failing_since)
    return say('Failing since {time}: {failed}.', { time: shortTime(failing_since), failed });
  return say('Enabled, known since {time}.', { time: shortTime(created_at) });
}
