import type { Db } from './db.ts';
import { statement } from './statement.ts';

/**
 * Acquires the lock of a maintenance task for `ms`, unless it is held: of several processes that ask, one gets true.
 * The lock is not released; it runs out.
 */
export async function acquireMaintenanceLock(db: Db, task: string, ms: number): Promise<boolean> {
  const now = db.now();
  // The stored name must stay: during an upgrade, processes of both versions ask for the same lock.
  const until = now + ms;
  const lock = {
    name: `turn:${task}`,
    now: String(now),
    until: String(until),
    furthest: String(until + slackMs),
  };
  return (await db.run(acquireLock, lock)) === 1;
}

/** A lock that is held for longer than one can be, by more than this, was acquired before a clock was set back. */
const slackMs = 60_000;

/** Changes a row when the lock is free at `now`, and then holds it until `until`. */
const acquireLock = statement((db, p: { name: string; now: string; until: string; furthest: string }) =>
  db
    .insertInto('settings')
    .values({ name: p.name, value: p.until })
    .onConflict((oc) =>
      oc
        .column('name')
        .doUpdateSet({ value: p.until })
        .where((eb) => eb.or([eb('settings.value', '<=', p.now), eb('settings.value', '>', p.furthest)])),
    ),
);
