import type { Page } from '@guise/contract/jobs.ts';
import type { Session, SessionList } from '@guise/contract/sessions.ts';
import { AppError } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { nextCursor } from '../next-cursor.ts';
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  listSessions,
  rotateSession,
} from '../store/accounts/session-records.ts';
import type { Db } from '../store/db.ts';
import type { SessionRow } from '../store/schema.ts';
import type { Caller, CallerSession, Callers } from './callers.ts';
import { hashSecret, makeSecret } from './secrets.ts';

/** What sessions stand on. */
export interface SessionParts {
  db: Db;
  callers: Callers;
}

/** The secret of a session, which goes into a cookie and is shown nowhere else. */
export interface SessionSecret {
  secret: string;
  expires_at: number;
}

const dayMs = 24 * 3600_000;
/** A session ends so long after it was last rotated, and so long after it began. */
const unusedMs = 7 * dayMs;
const mostMs = 30 * dayMs;
/** An account that signs in once more loses its oldest session. */
const mostSessions = 100;
const userAgentChars = 200;

export async function startSession(
  db: Db,
  accountId: string,
  userAgent: string,
): Promise<SessionSecret & { id: string }> {
  const secret = makeSecret('session');
  const now = db.now();
  const row: SessionRow = {
    id: newId(now),
    account_id: accountId,
    hash: hashSecret(secret),
    previous_hash: null,
    rotated_at: now,
    created_at: now,
    used_at: now,
    expires_at: now + unusedMs,
    user_agent: userAgent.slice(0, userAgentChars),
  };
  await db.transaction(async (tx) => {
    await tx.run(insertSession, row);
    await tx.run(deleteOldestSessions, { account_id: accountId, kept: mostSessions });
  });
  return { id: row.id, secret, expires_at: row.expires_at };
}

/** A new secret in place of one that has had its day; undefined where another request was faster. */
export async function rotateSessionToken(
  { db, callers }: SessionParts,
  session: CallerSession,
  secret: string,
): Promise<SessionSecret | undefined> {
  const next = makeSecret('session');
  const now = db.now();
  const expires_at = Math.min(now + unusedMs, session.created_at + mostMs);
  const hashes = { hash: hashSecret(next), previous_hash: hashSecret(secret) };
  const rotated = await db.run(rotateSession, { ...hashes, rotated_at: now, expires_at });
  callers.forget();
  return rotated === 0 ? undefined : { secret: next, expires_at };
}

/** The caller's sessions, newest first. */
export async function readSessions(db: Db, caller: Caller, page: Page): Promise<SessionList> {
  const rows = await db.all(listSessions, {
    account_id: caller.id,
    before: page.cursor ?? afterEveryId,
    now: db.now(),
    limit: page.limit,
  });
  return {
    sessions: rows.map((row) => sessionOf(row, caller)),
    next_cursor: nextCursor(rows, page.limit, ({ id }) => id),
  };
}

function sessionOf(row: SessionRow, caller: Caller): Session {
  return {
    id: row.id,
    current: row.id === caller.session?.id,
    user_agent: row.user_agent,
    created_at: isoTime(row.created_at),
    last_used: isoTime(row.used_at),
    expires_at: isoTime(row.expires_at),
  };
}

/** Signs out: at once in this process, within a second in others. `current` is the session of the request. */
export async function endSession({ db, callers }: SessionParts, caller: Caller, id: string): Promise<string> {
  const ended = id === 'current' ? (caller.session?.id ?? '') : id;
  const rows = await db.run(deleteSession, { id: ended, account_id: caller.id });
  if (rows === 0) throw new AppError('SESSION_NOT_FOUND', 'There is no session with this id.');
  callers.forget();
  return ended;
}

export async function endSessions({ db, callers }: SessionParts, accountId: string): Promise<void> {
  await db.run(deleteSessionsOf, { account_id: accountId });
  callers.forget();
}
