import type { CredentialRow } from '../schema.ts';
import { columns, statement } from '../statement.ts';

/** A key or a token of an account. */
export const findKey = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('credentials').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** An account's keys and tokens, newest first, before the key `before`: ids grow with time. */
export const listKeys = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** How many keys of an account are not revoked. */
export const countKeys = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('credentials')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id)
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null),
);

type KeyEdit = Pick<CredentialRow, 'id' | 'account_id' | 'version' | 'name' | 'budget' | 'expires_at'>;

/** Makes the version after `version`. Changes no row when that is not the current one, or the key is revoked. */
export const updateKey = statement((db, p: KeyEdit) =>
  db
    .updateTable('credentials')
    .set((eb) => ({
      ...columns(p, ['name', 'budget', 'expires_at']),
      version: eb('version', '+', eb.lit(1)),
    }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where('version', '=', p.version)
    .where('revoked_at', 'is', null),
);

/** Changes no row when a price is more than what is left of the key's budget. */
export const spendBudget = statement((db, p: { id: string; price: number }) =>
  db
    .updateTable('credentials')
    .set((eb) => ({ spent: eb('spent', '+', p.price) }))
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('budget', 'is', null), eb(eb('spent', '+', p.price), '<=', eb.ref('budget'))])),
);

/** Part of the transaction that refunds the price. */
export const returnToBudget = statement((db, p: { id: string; price: number }) =>
  db
    .updateTable('credentials')
    .set((eb) => ({ spent: eb('spent', '-', p.price) }))
    .where('id', '=', p.id),
);
