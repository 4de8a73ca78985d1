import type { Ratio } from '@guise/contract/common.ts';
import { columns, statement } from '../statement.ts';
import type { EventOverlayRow } from './event-schema.ts';

/** Takes the place of the event's overlay of this ratio. */
export const putEventOverlay = statement((db, p: EventOverlayRow) =>
  db
    .insertInto('event_overlays')
    .values(columns(p, ['event_id', 'ratio', 'blob_key', 'updated_at']))
    .onConflict((oc) =>
      oc.columns(['event_id', 'ratio']).doUpdateSet({ blob_key: p.blob_key, updated_at: p.updated_at }),
    ),
);

export const listEventOverlays = statement((db, p: { event_id: string }) =>
  db.selectFrom('event_overlays').selectAll().where('event_id', '=', p.event_id).orderBy('ratio'),
);

export const findOverlayByBlob = statement((db, p: { blob_key: string }) =>
  db.selectFrom('event_overlays').selectAll().where('blob_key', '=', p.blob_key),
);

export const deleteEventOverlay = statement((db, p: { event_id: string; ratio: Ratio }) =>
  db
    .deleteFrom('event_overlays')
    .where('event_id', '=', p.event_id)
    .where('ratio', '=', p.ratio)
    .returning('blob_key'),
);

export const deleteEventOverlays = statement((db, p: { event_id: string }) =>
  db.deleteFrom('event_overlays').where('event_id', '=', p.event_id),
);
