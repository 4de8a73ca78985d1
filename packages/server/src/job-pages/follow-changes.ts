import { setTimeout as sleep } from 'node:timers/promises';
import type { Changes } from '../jobs/changes.ts';
import { createWakeUp } from '../jobs/wake-up.ts';
import type { Db } from '../store/db.ts';
import {
  type Change,
  type ChangeViews,
  readBalance,
  readCatalogChanges,
  readJobChanges,
  readQueue,
} from './read-changes.ts';

/** A change with the id from which a stream can be resumed. */
export interface ChangeEvent extends Change {
  eventId: string;
}

export interface FollowOptions {
  accountId: string;
  /** The id of the last message that the caller has seen. */
  lastEventId: string | undefined;
  views: ChangeViews;
  /** Whether the caller may still read: asked at least every `rereadMs`. */
  isAllowed(): Promise<boolean>;
  signal: AbortSignal;
}

/** Changes within this time are read together. */
const gatherMs = 100;
/** Progress is not published, and messages from other processes may be lost: so long is waited for them at most. */
const progressMs = 1000;
const rereadMs = 2500;
/** The state of the queue, filters and aliases are read at most so often. */
const slowMs = 2000;
/**
 * Rows bear the time before their transaction is committed, so every read goes back by this much; what was sent already
 * is not sent again. After a resumed stream some of it may come twice.
 */
const overlapMs = 5000;
/** Within this time something is sent, so that no proxy closes the connection: nothing, if there is nothing. */
const heartbeatMs = 15_000;

/**
 * What changes of an account: first what has changed since the last message that the caller has seen, and all jobs that have
 * not ended; then every change. Null from time to time when nothing changes. Ends when the caller goes or may read no more.
 */
export async function* followChanges(
  parts: { db: Db; changes: Changes; ready(): boolean },
  { accountId, lastEventId, views, isAllowed, signal }: FollowOptions,
): AsyncGenerator<ChangeEvent | null> {
  const { db } = parts;
  const wakeUp = createWakeUp();
  signal.addEventListener('abort', wakeUp.wake, { once: true });
  const unsubscribe = parts.changes.subscribe(accountId, wakeUp.wake);
  const sent = createSentChanges();
  let since = timeOf(lastEventId) ?? db.now();
  let slowSince = since;
  let slowAt = Number.NEGATIVE_INFINITY;
  let yieldedAt = performance.now();
  try {
    while (!signal.aborted && parts.ready() && (await isAllowed())) {
      const now = db.now();
      const { changes, running } = await readJobChanges(db, accountId, since - overlapMs, views);
      changes.push(await readBalance(db, accountId));
      const slow = performance.now() - slowAt >= slowMs;
      if (slow) {
        changes.push(...(await readCatalogChanges(db, accountId, slowSince - overlapMs, views)));
        changes.push(await readQueue(db, accountId));
        [slowAt, slowSince] = [performance.now(), now];
      }
      const fresh = sent.keepNew(changes, slow);
      for (const [at, change] of fresh.entries()) yield { ...change, eventId: `${now}-${at}` };
      if (fresh.length > 0) yieldedAt = performance.now();
      else if (performance.now() - yieldedAt >= heartbeatMs) {
        yield null;
        yieldedAt = performance.now();
      }
      since = now;
      await sleep(gatherMs);
      await wakeUp.wait(running > 0 ? progressMs : rereadMs);
    }
  } finally {
    unsubscribe();
  }
}

/** The time in the id of a message. */
function timeOf(eventId: string | undefined): number | undefined {
  const time = /^(\d{1,15})-\d+$/.exec(eventId ?? '')?.[1];
  return time === undefined ? undefined : Number(time);
}

/** What was last sent of each thing, for as long as the thing is read again. */
function createSentChanges() {
  let jobs = new Map<string, string>();
  let others = new Map<string, string>();
  return {
    /** Those that differ from what was sent. With `all`, things that are not among them are forgotten. */
    keepNew(changes: readonly Change[], all: boolean): Change[] {
      const nextJobs = new Map<string, string>();
      const nextOthers = all ? new Map<string, string>() : others;
      const fresh = changes.filter(({ type, id, data }) => {
        const text = contentOf(data);
        const [before, next] = type === 'job' ? [jobs, nextJobs] : [others, nextOthers];
        const isNew = before.get(id) !== text;
        next.set(id, text);
        return isNew;
      });
      [jobs, others] = [nextJobs, nextOthers];
      return fresh;
    },
  };
}

/** Without what a signed link says of when it was made. */
function contentOf(data: unknown): string {
  return JSON.stringify(data, (_, value) =>
    typeof value === 'string' && value.includes('/files/') ? value.split('?')[0] : value,
  );
}
