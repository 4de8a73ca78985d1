import type { AccountRow, CredentialRow } from './schema.ts';
import { columns, statement } from './statement.ts';

export const insertAccount = statement((db, p: AccountRow) =>
  db
    .insertInto('accounts')
    .values(columns(p, ['id', 'email', 'password_hash', 'balance', 'role', 'created_at'])),
);

export const findAccountByEmail = statement((db, p: { email: string }) =>
  db.selectFrom('accounts').selectAll().where('email', '=', p.email),
);

export const findAccount = statement((db, p: { id: string }) =>
  db.selectFrom('accounts').selectAll().where('id', '=', p.id),
);

export const updatePassword = statement((db, p: { id: string; password_hash: string }) =>
  db.updateTable('accounts').set({ password_hash: p.password_hash }).where('id', '=', p.id),
);

export const listAccounts = statement((db, _: Record<string, never>) =>
  db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id'),
);

/** Accounts, newest first, before the account `before`: ids grow with time. */
export const listAccountsBefore = statement((db, p: { before: string; limit: number }) =>
  db.selectFrom('accounts').selectAll().where('id', '<', p.before).orderBy('id', 'desc').limit(p.limit),
);

export const insertCredential = statement((db, p: CredentialRow) =>
  db
    .insertInto('credentials')
    .values(
      columns(p, [
        'id',
        'account_id',
        'kind',
        'name',
        'hash',
        'last4',
        'created_at',
        'expires_at',
        'revoked_at',
        'scopes',
        'budget',
        'spent',
        'used_at',
        'version',
        'event_id',
        'made_by',
      ]),
    ),
);

/** A caller with a key or a token. */
export type CallerRow = Pick<AccountRow, 'id' | 'email' | 'role'> &
  Pick<CredentialRow, 'kind' | 'scopes' | 'expires_at' | 'used_at' | 'event_id' | 'made_by'> & {
    key_id: string;
  };

/** The account behind a credential that is neither revoked nor expired itself. */
export const findCallerByKey = statement((db, p: { hash: string; now: number }) =>
  db
    .selectFrom('credentials')
    .innerJoin('accounts', 'accounts.id', 'credentials.account_id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.role',
      'credentials.id as key_id',
      'credentials.kind',
      'credentials.scopes',
      'credentials.expires_at',
      'credentials.used_at',
      'credentials.event_id',
      'credentials.made_by',
    ])
    .where('credentials.hash', '=', p.hash)
    .where('credentials.revoked_at', 'is', null)
    .where((eb) =>
      eb.or([eb('credentials.expires_at', 'is', null), eb('credentials.expires_at', '>', p.now)]),
    ),
);

export const listCredentials = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('credentials')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .orderBy('created_at')
    .orderBy('id'),
);

/** Changes no row when the credential is already revoked or does not exist. */
export const revokeCredential = statement((db, p: { id: string; now: number }) =>
  db
    .updateTable('credentials')
    .set({ revoked_at: p.now })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null),
);

/** Changes no row when its use was noted after `before`. */
export const touchCredential = statement((db, p: { id: string; now: number; before: number }) =>
  db
    .updateTable('credentials')
    .set({ used_at: p.now })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('used_at', 'is', null), eb('used_at', '<', p.before)])),
);

/** Revokes an account's tokens of logins. Those that were made to stay do not expire. */
export const revokeLoginTokens = statement((db, p: { account_id: string; now: number }) =>
  db
    .updateTable('credentials')
    .set({ revoked_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('kind', '=', 'token')
    .where('expires_at', 'is not', null)
    .where('revoked_at', 'is', null),
);

/** Deletes the tokens of logins that expired before a time. */
export const purgeTokens = statement((db, p: { before: number }) =>
  db.deleteFrom('credentials').where('kind', '=', 'token').where('expires_at', '<', p.before),
);
