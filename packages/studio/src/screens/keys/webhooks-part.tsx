import { StandingWebhook } from './standing-webhook.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookEndpoints } from './webhook-endpoints.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookTest } from './webhook-test.tsx';

/** The standing address, the secret and a test on one side, what was sent on the other. */
export function WebhooksPart() {
  return (
    <div className="grid grid-cols-[20rem_minmax(0,1fr)] gap-x-12 gap-y-10 max-xl:grid-cols-1">
      <div className="flex flex-col gap-10 max-xl:grid max-xl:grid-cols-2 max-xl:items-start max-md:grid-cols-1">
        <StandingWebhook />
        <WebhookTest />
        <WebhookSecret />
      </div>
      <div className="flex min-w-0 flex-col gap-10">
        <WebhookEndpoints />
        <WebhookDeliveries />
      </div>
    </div>
  );
}
