import { statement } from './statement.ts';

export const findSetting = statement((db, p: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', p.name),
);

/** Changes no row when the setting exists: of several processes that choose a value, the first decides. */
export const insertSetting = statement((db, p: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name: p.name, value: p.value })
    .onConflict((oc) => oc.column('name').doNothing()),
);
