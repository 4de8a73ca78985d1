import { hash, randomBytes } from 'node:crypto';
import type { Page } from '@guise/contract/jobs.ts';
import {
  type NewQuickTestLink,
  type QuickTestLink,
  type QuickTestLinkChange,
  type QuickTestLinkList,
  quickTestLimits,
} from '@guise/contract/quick-tests.ts';
import { limitReached } from '../catalog/limit-reached.ts';
import { filterNotFound } from '../catalog/resolve.ts';
import { AppError, invalidField } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { KeepKey } from '../jobs/create-once.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Precondition } from '../precondition.ts';
import { isKeyInForce } from '../store/accounts/lineages.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilter } from '../store/filter-records.ts';
import type { QuickTestLinkRow } from '../store/qa/qa-schema.ts';
import {
  countQuickTestLinks,
  deleteQuickTestLink,
  deleteQuickTestRuns,
  findQuickTestLink,
  findQuickTestLinkByToken,
  insertQuickTestLink,
  listQuickTestLinks,
  lockQuickTestLink,
  updateQuickTestLink,
} from '../store/qa/quick-test-records.ts';

/** Who makes a link: an account, by one of its keys or, without one, by somebody who is signed in. */
interface Maker {
  id: string;
  maker_id: string | null;
}

const linkNotFound = () => new AppError('QUICK_TEST_NOT_FOUND', 'There is no quick test link with this id.');

const dayMs = 24 * 3600_000;
const tokenShape = /^[\w-]{43}$/;

/** A link, with the version that its `ETag` tells. */
export interface ReadLink {
  version: number;
  link: QuickTestLink;
}

/** The token is returned here and nowhere else: only its hash is stored. */
export async function createQuickTestLink(
  db: Db,
  { id: accountId, maker_id }: Maker,
  wanted: NewQuickTestLink,
  keepKey: KeepKey,
): Promise<{ id: string; token: string }> {
  const filter = await db.one(findCustomFilter, { id: wanted.filter_id, account_id: accountId });
  if (!filter) throw filterNotFound();
  const now = db.now();
  const token = randomBytes(32).toString('base64url');
  const row: QuickTestLinkRow = {
    id: newId(now),
    account_id: accountId,
    made_by: maker_id,
    filter_id: filter.id,
    filter_name: filter.name,
    name: wanted.name,
    token_hash: hash('sha256', token),
    runs: wanted.runs,
    runs_used: 0,
    expires_at: readExpiry(wanted.expires_at, now),
    version: 1,
    created_at: now,
    last_used: null,
  };
  await db.transaction(async (tx) => {
    await keepKey(tx, row.id);
    const { count } = (await tx.one(countQuickTestLinks, { account_id: accountId }))!;
    if (count >= quickTestLimits.links) throw limitReached(quickTestLimits.links, 'quick test links');
    await tx.run(insertQuickTestLink, row);
  });
  return { id: row.id, token };
}

export async function readQuickTestLink(db: Db, accountId: string, id: string): Promise<ReadLink> {
  const row = await db.one(findQuickTestLink, { id, account_id: accountId });
  if (!row) throw linkNotFound();
  return { version: row.version, link: await readLink(db, row, db.now()) };
}

/** Newest first. */
export async function readQuickTestLinks(db: Db, accountId: string, page: Page): Promise<QuickTestLinkList> {
  const { cursor = afterEveryId, limit } = page;
  const rows = await db.all(listQuickTestLinks, { account_id: accountId, before: cursor, limit });
  const now = db.now();
  return {
    quick_test_links: await Promise.all(rows.map((row) => readLink(db, row, now))),
    next_cursor: nextCursor(rows, limit, ({ id }) => id),
  };
}

/** Fewer runs than were used leave none. A link whose maker has ended becomes that of whoever changes it. */
export async function changeQuickTestLink(
  db: Db,
  { id: accountId, maker_id }: Maker,
  id: string,
  change: QuickTestLinkChange,
  check: Precondition,
): Promise<void> {
  const expires_at = change.expires_at && readExpiry(change.expires_at, db.now());
  for (;;) {
    const row = await db.one(findQuickTestLink, { id, account_id: accountId });
    if (!row) throw linkNotFound();
    check(row.version);
    const { name = row.name, runs = row.runs } = change;
    const made_by = (await isKeyInForce(db, row.made_by, db.now())) ? row.made_by : maker_id;
    const next = { id, account_id: accountId, made_by, version: row.version, name, runs };
    const changed = await db.run(updateQuickTestLink, { ...next, expires_at: expires_at || row.expires_at });
    if (changed === 1) return;
  }
}

/** From here on nobody finds the link or its runs; the jobs stay among the account's. */
export async function removeQuickTestLink(
  db: Db,
  accountId: string,
  id: string,
  check: Precondition,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx.one(lockQuickTestLink, { id, account_id: accountId });
    if (!row) throw linkNotFound();
    check(row.version);
    await tx.run(deleteQuickTestLink, { id, account_id: accountId });
    await tx.run(deleteQuickTestRuns, { link_id: id });
  });
}

/** The link of a token, whatever its state; undefined when it is no link's. */
export async function findLinkByToken(db: Db, token: string): Promise<QuickTestLinkRow | undefined> {
  // What no token looks like never reaches the database.
  if (!tokenShape.test(token)) return undefined;
  return db.one(findQuickTestLinkByToken, { token_hash: hash('sha256', token) });
}

function readExpiry(text: string, now: number): number {
  const at = Date.parse(text);
  const { days } = quickTestLimits;
  const message =
    at <= now ? 'must be in the future' : at > now + days * dayMs ? `must be within ${days} days` : null;
  if (message === null) return at;
  throw invalidField('expires_at', message);
}

/** Whether guests may use it: it ends at its time, and with the key that made it. */
export async function isLinkOpen(db: Db, { expires_at, made_by }: QuickTestLinkRow): Promise<boolean> {
  return expires_at > db.now() && (await isKeyInForce(db, made_by, db.now()));
}

async function readLink(
  db: Db,
  row: QuickTestLinkRow & { current_name: string | null },
  now: number,
): Promise<QuickTestLink> {
  const link = linkOf(row, now);
  return link.state === 'filter_deleted' || (await isLinkOpen(db, row))
    ? link
    : { ...link, state: 'expired' };
}

function linkOf(row: QuickTestLinkRow & { current_name: string | null }, now: number): QuickTestLink {
  return {
    id: row.id,
    name: row.name,
    filter: { id: row.filter_id, name: row.current_name ?? row.filter_name },
    runs: row.runs,
    runs_used: row.runs_used,
    expires_at: isoTime(row.expires_at),
    state: stateOf(row, now),
    created_at: isoTime(row.created_at),
    last_used: row.last_used === null ? null : isoTime(row.last_used),
  };
}

function stateOf(
  row: QuickTestLinkRow & { current_name: string | null },
  now: number,
): QuickTestLink['state'] {
  if (row.current_name === null) return 'filter_deleted';
  if (row.expires_at <= now) return 'expired';
  return row.runs_used >= row.runs ? 'used_up' : 'valid';
}
