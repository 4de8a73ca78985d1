import type { Queries } from './db.ts';
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

/** Changes a setting whatever others do to it meanwhile. */
export async function changeSetting(
  db: Queries,
  name: string,
  change: (value: string | undefined) => string,
): Promise<void> {
  for (;;) {
    const old = (await db.one(findSetting, { name }))?.value;
    const value = change(old);
    const rows =
      old === undefined
        ? await db.run(insertSetting, { name, value })
        : await db.run(replaceSetting, { name, old, value });
    if (rows === 1) return;
  }
}
