import { RefreshCw } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { usePages } from '../../app/use-pages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { say } from '../../words/say.ts';
import { DeliveryRow, deliveriesKey } from './delivery-row.tsx';

/** What was sent, newest first. */
export function WebhookDeliveries() {
  const guise = useGuise();
  const { pages, error, isReading, readAgain, more } = usePages(deliveriesKey, guise.webhooks.deliveries);
  const deliveries = pages?.flatMap((page) => page.webhook_deliveries);
  return (
    <section aria-label={say('Deliveries')}>
      <div className="mb-1 flex items-center gap-2">
        <h2>{say('Deliveries')}</h2>
        <IconButton label={say('Read the deliveries again')} disabled={isReading} onClick={readAgain}>
          <RefreshCw size={16} aria-hidden />
        </IconButton>
      </div>
      {error && <Problem error={error} onRetry={readAgain} />}
      {deliveries?.length === 0 && (
        <p className="text-ink-soft">
          {say(
            'Nothing was sent yet. Give an address for all runs, or name one in webhook_url when you submit a job.',
          )}
        </p>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className="border-t">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <ShowMore more={more} />
    </section>
  );
}
