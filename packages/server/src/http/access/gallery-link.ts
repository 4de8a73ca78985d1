import { isShown } from '../../events/shared-pictures.ts';
import type { EventRow } from '../../store/events/event-schema.ts';
import type { HttpParts } from '../parts.ts';
import type { RouteRequest } from '../route.ts';
import { guestBaseUrlOf } from './guest-address.ts';
import { linkVersionOf } from './link-tokens.ts';

/** Where guests open the gallery of an event; null where it has none. */
export async function galleryUrlOf(
  parts: HttpParts,
  request: RouteRequest,
  event: EventRow,
): Promise<string | null> {
  if (!isShown(event, 'gallery')) return null;
  const version = linkVersionOf('gallery', event);
  const token = parts.linkTokens.create({ kind: 'gallery', eventId: event.id, version, expires: 0 });
  return `${await guestBaseUrlOf(parts, request)}/g/${token}`;
}
