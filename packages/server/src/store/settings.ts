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

/** The last value counts. */
export const putSetting = statement((db, p: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name: p.name, value: p.value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: p.value })),
);

/** Changes no row when the value is no longer the old one. */
export const replaceSetting = statement((db, p: { name: string; old: string; value: string }) =>
  db.updateTable('settings').set({ value: p.value }).where('name', '=', p.name).where('value', '=', p.old),
);
