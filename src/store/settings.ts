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
