import type { WebhookData, WebhookType } from '@guise/contract/webhook-types.ts';
import { isoTime } from '../../iso-time.ts';

/** A message as it is stored and signed. Its type comes first: lists read it from there. */
export function webhookBody<Type extends WebhookType>(
  type: Type,
  data: WebhookData<Type>,
  now: number,
): string {
  return JSON.stringify({ type, timestamp: isoTime(now), data });
}
