import type { WorkerRow } from './schema.ts';
import { columns, statement } from './statement.ts';

const workerColumns = [
  'id',
  'host',
  'pid',
  'engines',
  'concurrency',
  'running',
  'draining',
  'started_at',
  'beat_at',
] as const;

/** Announces a worker, or updates its load and its heartbeat. */
export const upsertWorker = statement((db, p: WorkerRow) =>
  db
    .insertInto('workers')
    .values(columns(p, workerColumns))
    .onConflict((oc) =>
      oc.column('id').doUpdateSet(columns(p, ['engines', 'running', 'draining', 'beat_at'])),
    ),
);

/** Workers whose last heartbeat came after `since`, and not after `until`, which no heartbeat can. */
export const listWorkers = statement((db, p: { since: number; until: number }) =>
  db
    .selectFrom('workers')
    .selectAll()
    .where('beat_at', '>', p.since)
    .where('beat_at', '<=', p.until)
    .orderBy('started_at')
    .orderBy('id'),
);

/** A worker that has ended is dated back, out of the list of live ones. What it made is known for a while longer. */
export const endWorker = statement((db, p: { id: string; beat_at: number }) =>
  db.updateTable('workers').set({ beat_at: p.beat_at }).where('id', '=', p.id),
);

export const purgeWorkers = statement((db, p: { before: number }) =>
  db.deleteFrom('workers').where('beat_at', '<', p.before),
);
