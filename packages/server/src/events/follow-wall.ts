import { setTimeout as sleep } from 'node:timers/promises';
import { mostOnWall, type SharedPictures, type WallChangeType } from '@guise/contract/events/event-guests.ts';
import type { Changes } from '../jobs/changes.ts';
import type { LinkToBlob } from '../jobs/read.ts';
import { createWakeUp } from '../jobs/wake-up.ts';
import type { Db } from '../store/db.ts';
import { findEventById } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { type QuestionsByVersion, readQuestions } from './consent.ts';
import { isShown, readSharedPictures } from './shared-pictures.ts';

export interface WallChange {
  type: WallChangeType;
  data: unknown;
}

export interface WallFollow {
  eventId: string;
  /** Whether the link of whoever follows is still valid. */
  isAllowed(event: EventRow): boolean;
  linkTo: LinkToBlob;
  /** Where guests open the gallery of the event. */
  galleryUrlOf(event: EventRow): Promise<string | null>;
  signal: AbortSignal;
}

/** Changes within this time are read together. */
const gatherMs = 100;
/** Messages from other processes may be lost, and pictures expire without one. */
const rereadMs = 2500;
/** Within this time something is sent, so that no proxy closes the connection. */
const heartbeatMs = 15_000;

/**
 * What changes on the wall of an event: first all its pictures, then each that comes or goes. Null from time to time when
 * nothing changes. Ends when the caller goes, when the wall is switched off, or when the link was made anew.
 */
export async function* followWall(
  parts: { db: Db; changes: Changes; ready(): boolean },
  { eventId, isAllowed, linkTo, galleryUrlOf, signal }: WallFollow,
): AsyncGenerator<WallChange | null> {
  const { db } = parts;
  const wakeUp = createWakeUp();
  signal.addEventListener('abort', wakeUp.wake, { once: true });
  const unsubscribe = parts.changes.subscribe(eventId, wakeUp.wake);
  let asked: { version: number; questions: QuestionsByVersion } | undefined;
  let sent: Set<string> | undefined;
  let yieldedAt = performance.now();
  try {
    while (!signal.aborted && parts.ready()) {
      const event = await db.one(findEventById, { id: eventId });
      if (!event || !isShown(event, 'wall') || !isAllowed(event)) return;
      const version = event.consent_version;
      if (asked?.version !== version) asked = { version, questions: await readQuestions(db, eventId) };
      const page = { limit: mostOnWall };
      const shown = await readSharedPictures(
        db,
        { event, place: 'wall', page, questions: asked.questions },
        linkTo,
      );
      const changes = sent ? changesOf(sent, shown) : [wholeWall(shown, await galleryUrlOf(event))];
      sent = new Set(shown.pictures.map(({ id }) => id));
      for (const change of changes) yield change;
      if (changes.length > 0) yieldedAt = performance.now();
      else if (performance.now() - yieldedAt >= heartbeatMs) {
        yield null;
        yieldedAt = performance.now();
      }
      await sleep(gatherMs);
      await wakeUp.wait(rereadMs);
    }
  } finally {
    unsubscribe();
  }
}

function wholeWall(shown: SharedPictures, gallery_url: string | null): WallChange {
  const data: SharedPictures = { ...shown, event: { ...shown.event, gallery_url }, next_cursor: null };
  return { type: 'pictures', data };
}

/** New pictures the oldest first, as they were made. */
function changesOf(sent: ReadonlySet<string>, shown: SharedPictures): WallChange[] {
  const now = new Set(shown.pictures.map(({ id }) => id));
  const removed = [...sent].filter((id) => !now.has(id));
  const added = shown.pictures.filter(({ id }) => !sent.has(id)).toReversed();
  return [
    ...removed.map((id): WallChange => ({ type: 'removed', data: { id } })),
    ...added.map((data): WallChange => ({ type: 'picture', data })),
  ];
}
