import type { LedgerRow } from './schema.ts';
import { columns, statement } from './statement.ts';

type NewEntry = Omit<LedgerRow, 'id'>;

/** Changes no row when the balance is lower than the price. */
export const debit = statement((db, p: { account_id: string; price: number }) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '-', p.price) }))
    .where('id', '=', p.account_id)
    .where('balance', '>=', p.price),
);

/** Part of the transaction that appends the ledger entry, as `debit` is. */
export const credit = statement((db, p: { account_id: string; amount: number }) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', p.amount) }))
    .where('id', '=', p.account_id),
);

/** Fails for a second charge or a second refund of the same job. */
export const appendEntry = statement((db, p: NewEntry) =>
  db.insertInto('ledger').values(columns(p, ['account_id', 'amount', 'reason', 'job_id', 'created_at'])),
);

/** Changes no row when the job has an entry with this reason. */
export const appendEntryOnce = statement((db, p: NewEntry) =>
  db
    .insertInto('ledger')
    .values(columns(p, ['account_id', 'amount', 'reason', 'job_id', 'created_at']))
    .onConflict((oc) => oc.columns(['job_id', 'reason']).doNothing()),
);

/** An account's entries, newest first, before the entry `before`. */
export const listEntries = statement((db, p: { account_id: string; before: number; limit: number }) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Accounts whose balance differs from the sum of their entries. There must be none. */
export const unbalancedAccounts = statement((db, _: Record<string, never>) =>
  db
    .selectFrom('accounts')
    .leftJoin('ledger', 'ledger.account_id', 'accounts.id')
    .select(({ fn }) => ['accounts.id', 'accounts.balance', fn.sum<number>('ledger.amount').as('total')])
    .groupBy(['accounts.id', 'accounts.balance'])
    .having((eb) =>
      eb('accounts.balance', '!=', eb.fn.coalesce(eb.fn.sum<number>('ledger.amount'), eb.lit(0))),
    ),
);
