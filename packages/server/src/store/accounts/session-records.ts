import type { AccountRow, SessionRow, SignInLinkRow } from '../schema.ts';
import { columns, statement } from '../statement.ts';

export const insertSession = statement((db, p: SessionRow) =>
  db
    .insertInto('sessions')
    .values(
      columns(p, [
        'id',
        'account_id',
        'hash',
        'previous_hash',
        'rotated_at',
        'created_at',
        'used_at',
        'expires_at',
        'user_agent',
      ]),
    ),
);

/** A caller with a session, and what says whether its secret is to be rotated. */
export type SessionCallerRow = Pick<AccountRow, 'id' | 'email' | 'role'> &
  Pick<SessionRow, 'hash' | 'created_at' | 'rotated_at' | 'used_at'> & { session_id: string };

/** The account behind a session's secret, or behind the one that was replaced after `previous_since`. */
export const findCallerBySession = statement((db, p: { hash: string; now: number; previous_since: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.role',
      'sessions.id as session_id',
      'sessions.hash',
      'sessions.created_at',
      'sessions.rotated_at',
      'sessions.used_at',
    ])
    .where((eb) =>
      eb.or([
        eb('sessions.hash', '=', p.hash),
        eb.and([eb('sessions.previous_hash', '=', p.hash), eb('sessions.rotated_at', '>', p.previous_since)]),
      ]),
    )
    .where('sessions.expires_at', '>', p.now),
);

type Rotation = Pick<SessionRow, 'hash' | 'rotated_at' | 'expires_at'> & { previous_hash: string };

/** Replaces the secret of a session. Changes no row when another request has replaced it: of several, one rotates. */
export const rotateSession = statement((db, p: Rotation) =>
  db
    .updateTable('sessions')
    .set(columns(p, ['hash', 'previous_hash', 'rotated_at', 'expires_at']))
    .where('hash', '=', p.previous_hash),
);

/** Changes no row when its use was noted after `before`. */
export const touchSession = statement((db, p: { id: string; now: number; before: number }) =>
  db.updateTable('sessions').set({ used_at: p.now }).where('id', '=', p.id).where('used_at', '<', p.before),
);

/** An account's sessions that have not expired, newest first, before the session `before`: ids grow with time. */
export const listSessions = statement(
  (db, p: { account_id: string; before: string; now: number; limit: number }) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('account_id', '=', p.account_id)
      .where('id', '<', p.before)
      .where('expires_at', '>', p.now)
      .orderBy('id', 'desc')
      .limit(p.limit),
);

export const deleteSession = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('sessions').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const deleteSessionsOf = statement((db, p: { account_id: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.account_id),
);

/** Deletes an account's sessions but for one. */
export const deleteOtherSessions = statement((db, p: { account_id: string; kept: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.account_id).where('id', '!=', p.kept),
);

/** Deletes an account's sessions but for its newest `kept`. */
export const deleteOldestSessions = statement((db, p: { account_id: string; kept: number }) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', p.account_id)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', p.account_id)
        .orderBy('id', 'desc')
        .limit(p.kept),
    ),
);

export const purgeSessions = statement((db, p: { now: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', p.now),
);

export const insertSignInLink = statement((db, p: SignInLinkRow) =>
  db.insertInto('sign_in_links').values(columns(p, ['hash', 'account_id', 'expires_at', 'used_at'])),
);

/** Uses a link that has neither expired nor been used. Of several who bring the same one, one gets the row. */
export const takeSignInLink = statement((db, p: { hash: string; now: number }) =>
  db
    .updateTable('sign_in_links')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('expires_at', '>', p.now)
    .where('used_at', 'is', null)
    .returning('account_id'),
);

export const findSignInLink = statement((db, p: { hash: string }) =>
  db.selectFrom('sign_in_links').selectAll().where('hash', '=', p.hash),
);

export const deleteSignInLinksOf = statement((db, p: { account_id: string }) =>
  db.deleteFrom('sign_in_links').where('account_id', '=', p.account_id),
);

/** They are kept for a while after their time: whoever brings one is told what became of it. */
export const purgeSignInLinks = statement((db, p: { before: number }) =>
  db.deleteFrom('sign_in_links').where('expires_at', '<=', p.before),
);
