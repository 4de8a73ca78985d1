import type { NewEventKey } from '@guise/contract/events/events.ts';
import type { CreatedKey } from '@guise/contract/keys.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { countKeys } from '../store/accounts/key-records.ts';
import type { Db, Queries } from '../store/db.ts';
import { findEvent } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import type { Caller } from './callers.ts';
import {
  assertGenerations,
  createCredential,
  keyOf,
  mostKeys,
  readKeyExpiry,
  tooManyKeys,
  type VersionedKey,
} from './keys.ts';

export const eventKeyNeeded = () =>
  new AppError('EVENT_KEY_NEEDED', 'This endpoint is for booths: it takes only the key of an event.');
const noSuchEvent = () => new AppError('EVENT_NOT_FOUND', 'There is no event with this id.');
const wasErased = () => new AppError('EVENT_ENDED', 'This event was erased: it gets no more keys.');

const dayMs = 24 * 3600_000;

/** The event of the caller's key; undefined when it was deleted. */
export function findKeyEvent(db: Db, { id, event_id }: Caller): Promise<EventRow | undefined> {
  return db.one(findEvent, { id: event_id ?? '', account_id: id });
}

/** A key that can do nothing but what booths of one event do. `note` is part of the transaction. */
export async function createEventKey(
  db: Db,
  caller: Caller,
  eventId: string,
  { name, budget, expires_at }: NewEventKey,
  note: (tx: Queries, id: string) => Promise<void>,
): Promise<VersionedKey<CreatedKey>> {
  const event = await db.one(findEvent, { id: eventId, account_id: caller.id });
  if (!event) throw noSuchEvent();
  if (event.erasure_begun_at !== null) throw wasErased();
  const expiresAt = readKeyExpiry(db, expires_at ?? isoTime(Math.max(event.ends_at, db.now()) + dayMs));
  return db.transaction(async (tx) => {
    if ((await tx.one(countKeys, { account_id: caller.id }))!.count >= mostKeys) throw tooManyKeys();
    await assertGenerations(tx, caller);
    const limits = { scopes: [], budget, expiresAt, madeBy: caller.maker_id };
    const credential = { kind: 'key', name, eventId: event.id, ...limits } as const;
    const { secret, ...row } = await createCredential(tx, caller.id, credential);
    await note(tx, row.id);
    return { key: { ...keyOf(row, db.now()), secret }, version: row.version };
  });
}
