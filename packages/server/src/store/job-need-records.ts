import { queuedState } from './job-records.ts';
import { type Holder, isHeld } from './lease.ts';
import type { JobRow } from './schema.ts';
import { statement } from './statement.ts';

/** What of a job decides who makes it. */
const needColumns = ['family', 'filter_ref', 'filter_kind', 'model', 'photo_count', 'photos_stay'] as const;
export type NeedsRow = Pick<JobRow, (typeof needColumns)[number]>;

/** What the jobs need that were accepted before a time and are still queued, each need once. */
export const listNeedsBefore = statement((db, p: { before: number }) =>
  db
    .selectFrom('jobs')
    .select(needColumns)
    .distinct()
    .where('state', '=', queuedState)
    .where('created_at', '<', p.before),
);

/** Jobs with these needs that were accepted before a time and are still queued, the longest waiting first. */
export const listQueuedBefore = statement((db, p: NeedsRow & { before: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', queuedState)
    .where('family', '=', p.family)
    .where('filter_ref', 'is not distinct from', p.filter_ref)
    .where('filter_kind', 'is not distinct from', p.filter_kind)
    .where('model', 'is not distinct from', p.model)
    .where('photo_count', 'is not distinct from', p.photo_count)
    .where('photos_stay', 'is not distinct from', p.photos_stay)
    .where('created_at', '<', p.before)
    .orderBy('run_after')
    .limit(p.limit),
);

/** Stores the needs of a job that was accepted without them. For the holder of the claim alone. */
export const storeNeeds = statement(
  (db, p: Holder & Pick<NeedsRow, 'filter_kind' | 'model' | 'photo_count'>) =>
    db
      .updateTable('jobs')
      .set({ filter_kind: p.filter_kind, model: p.model, photo_count: p.photo_count })
      .where(isHeld(p)),
);
