import { statement } from './statement.ts';

export const findSetting = statement((db, p: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', p.name),
);

/** The first word stands: a setting that is already there is left alone. */
export const insertSetting = statement((db, p: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name: p.name, value: p.value })
    .onConflict((oc) => oc.column('name').doNothing()),
);

/** Touches a row when the turn `name` is free at `now`, and then holds it until `until`. */
export const takeTurn = statement((db, p: { name: string; now: string; until: string }) =>
  db
    .insertInto('settings')
    .values({ name: p.name, value: p.until })
    .onConflict((oc) =>
      oc.column('name').doUpdateSet({ value: p.until }).where('settings.value', '<=', p.now),
    ),
);
