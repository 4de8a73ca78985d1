import type { Logger } from 'pino';
import type { Gate } from '../admission/gate.ts';
import type { Changes } from '../jobs/changes.ts';
import { holdLease } from '../jobs/heartbeat.ts';
import { startPollLoop } from '../jobs/poll-loop.ts';
import type { Db } from '../store/db.ts';
import type { Holder } from '../store/lease.ts';
import type { Statement } from '../store/statement.ts';

export interface OutboxParts {
  db: Db;
  changes: Changes;
  /** Where accounts take turns. */
  gate: Gate;
  log: Logger;
}

interface OutboxRow {
  id: string;
  account_id: string;
  claim: number;
}

/** What is sent, and how one of it is taken a step further. */
export interface Outbox<Row extends OutboxRow> {
  noun: 'mail' | 'print';
  due: Statement<{ limit: number }, Row>;
  claim: Statement<Holder, Row>;
  renew: Statement<Holder, unknown>;
  advance(row: Row): Promise<void>;
  /** Of what has the same name, one is advanced at a time. */
  nameOf(row: Row): string;
  /** What is published when something may be due. */
  waiting: string;
  /** For what is put off, and in case a message is lost. */
  pollIntervalMs: number;
}

/** So many that are due are read: behind those of accounts that have their share, others are found. */
const lookAhead = 100;

/** Advances what is due until stopped, no more of it at once than the gate lets each account have. */
export function startOutboxLoop<Row extends OutboxRow>(
  { db, changes, gate, log }: OutboxParts,
  { noun, due, claim, renew, advance, nameOf, waiting, pollIntervalMs }: Outbox<Row>,
): { stop(): Promise<void> } {
  const busy = new Map<string, Promise<void>>();
  let stopping = false;

  const claimAndAdvance = async (found: Row) => {
    const row = await db.one(claim, found);
    if (!row) return false;
    // A mail server looks through a mail for minutes, and a printer takes a picture as fast as it prints it.
    const lease = holdLease(
      { changes, log },
      {
        id: row.id,
        renew: async () => (await db.run(renew, { id: row.id, claim: row.claim })) === 1,
        // Whoever has lost a row changes nothing of it.
        onLost: () => {},
      },
    );
    try {
      await advance(row);
    } finally {
      lease.stop();
    }
    return true;
  };
  const start = (row: Row, release: () => void) => {
    const advanced = claimAndAdvance(row)
      .catch((error) => {
        log.error({ err: error, [noun]: row.id }, `a ${noun} could not be advanced`);
        return false;
      })
      .then((wasAdvanced) => {
        release();
        busy.delete(nameOf(row));
        if (wasAdvanced) loop.poll();
      });
    busy.set(nameOf(row), advanced);
  };
  const startDue = async () => {
    for (const row of await db.all(due, { limit: lookAhead })) {
      if (stopping) return;
      if (busy.has(nameOf(row))) continue;
      const place = gate.tryEnter(row.account_id);
      if (place) start(row, place.release);
    }
  };
  const loop = startPollLoop(pollIntervalMs, startDue, (error) =>
    log.error({ err: error }, `the queue of ${noun}s could not be read`),
  );
  const unsubscribe = changes.subscribe(waiting, loop.poll);
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      await loop.stop();
      await Promise.all(busy.values());
    },
  };
}
