import type { RenderRow } from './schema.ts';
import { columns, statement } from './statement.ts';

export const insertRender = statement((db, p: RenderRow) =>
  db
    .insertInto('renders')
    .values(
      columns(p, [
        'id',
        'filter_id',
        'purpose',
        'wants',
        'claim',
        'lease_until',
        'result_key',
        'result_notes',
        'error',
        'ended',
        'created_at',
      ]),
    ),
);

/**
 * Claims the oldest render without a lease that wants one of `makeable`. The update checks the lease again, because
 * two workers may select the same row: one of them changes it.
 */
export const claimRenderOf = (makeable: readonly string[]) =>
  statement((db, p: { now: number; lease_until: number; furthest: number }) =>
    db
      .updateTable('renders')
      .set((eb) => ({ claim: eb('claim', '+', eb.lit(1)), lease_until: p.lease_until }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('renders')
          .select('id')
          .where('ended', '=', eb.lit(0))
          .where((lease) =>
            lease.or([lease('lease_until', '<=', p.now), lease('lease_until', '>', p.furthest)]),
          )
          .where('wants', 'in', makeable)
          .orderBy('created_at')
          .orderBy('id')
          .limit(1),
      )
      .where('ended', '=', (eb) => eb.lit(0))
      .where((lease) => lease.or([lease('lease_until', '<=', p.now), lease('lease_until', '>', p.furthest)]))
      .returningAll(),
  );

/** For the holder of the claim alone, and once. */
export const endRender = statement(
  (db, p: Pick<RenderRow, 'id' | 'claim' | 'result_key' | 'result_notes' | 'error'>) =>
    db
      .updateTable('renders')
      .set((eb) => ({
        ended: eb.lit(1),
        result_key: p.result_key,
        result_notes: p.result_notes,
        error: p.error,
      }))
      .where('id', '=', p.id)
      .where('claim', '=', p.claim)
      .where('ended', '=', (eb) => eb.lit(0)),
);

export const findRender = statement((db, p: { id: string }) =>
  db.selectFrom('renders').selectAll().where('id', '=', p.id),
);

export const deleteRender = statement((db, p: { id: string }) =>
  db.deleteFrom('renders').where('id', '=', p.id),
);

export const purgeRenders = statement((db, p: { before: number }) =>
  db.deleteFrom('renders').where('created_at', '<', p.before),
);
