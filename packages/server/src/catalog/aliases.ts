import { Alias, type AliasChange, type NewAlias } from '@guise/contract/aliases.ts';
import type { Caller } from '../accounts/callers.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { Precondition } from '../precondition.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  countAliases,
  deleteAlias,
  findAlias,
  findCustomFilter,
  insertAlias,
  listAliases,
  lockAlias,
  updateAlias,
} from '../store/filter-records.ts';
import { readJson } from '../store/json-column.ts';
import type { AliasRow, CustomFilterRow } from '../store/schema.ts';
import type { OnInsert } from './custom-filters.ts';
import { limitReached } from './limit-reached.ts';
import { filterNotFound } from './resolve.ts';

export const aliasNotFound = () => new AppError('ALIAS_NOT_FOUND', 'There is no alias with this id.');
const nothingToUndo = () =>
  new AppError('NOTHING_TO_UNDO', 'This alias has no earlier filter that still exists.');
const noSafeFilter = () =>
  new AppError('NO_SAFE_FILTER', 'This alias has no safe filter. Set its safe_filter first.');

/** An alias as callers read it, and the version that they read. */
export interface VersionedAlias {
  alias: Alias;
  version: number;
}

/** An account may have as many. */
export const mostAliases = 1000;
/** Filters that an alias remembers; the oldest are forgotten. */
const mostRemembered = 1000;

export async function createAlias(
  db: Db,
  caller: Caller,
  wanted: NewAlias,
  onInsert: OnInsert = async () => {},
): Promise<VersionedAlias> {
  const filter = await ownFilter(db, caller, wanted.ai_filter);
  const now = db.now();
  const row: AliasRow = {
    id: newId(),
    account_id: caller.id,
    ai_filter: filter.id,
    ai_filter_name: filter.name,
    project: wanted.project,
    history: '[]',
    safe_filter: null,
    draft_filter: null,
    draft_number: 0,
    draft_changed_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
    last_used: null,
  };
  await db.transaction(async (tx) => {
    await onInsert(tx, row.id);
    const { count } = (await tx.one(countAliases, { account_id: caller.id }))!;
    if (count >= mostAliases) throw limitReached(mostAliases, 'aliases');
    await tx.run(insertAlias, row);
  });
  return versioned({ ...row, filter_name: filter.name }, caller);
}

export async function readAlias(db: Queries, caller: Caller, id: string): Promise<VersionedAlias> {
  const row = await db.one(findAlias, { id, account_id: caller.id });
  if (!row) throw aliasNotFound();
  return versioned(row, caller);
}

export async function readAliases(db: Db, caller: Caller): Promise<Alias[]> {
  const rows = await db.all(listAliases, { account_id: caller.id });
  return rows.map((row) => aliasOf(row, caller));
}

/** Another filter moves the current one into the history; the same filter again leaves the history as it is. */
export function changeAlias(
  db: Db,
  caller: Caller,
  id: string,
  change: AliasChange,
  precondition: Precondition,
): Promise<VersionedAlias> {
  return db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, precondition);
    return writeAlias(tx, caller, row, change, db.now());
  });
}

/** Points the alias to the last filter that it had before and that still exists. Done twice, it is where it was. */
export function undoAlias(
  db: Db,
  caller: Caller,
  id: string,
  precondition: Precondition,
): Promise<VersionedAlias> {
  return db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, precondition);
    for (const { ai_filter_id } of historyOf(row).reverse()) {
      if (ai_filter_id === row.ai_filter) continue;
      const filter = await tx.one(findCustomFilter, { id: ai_filter_id, account_id: caller.id });
      if (filter) return writeAlias(tx, caller, row, { ai_filter: filter.id }, db.now());
    }
    throw nothingToUndo();
  });
}

/** Points the alias to its safe filter. */
export function switchToSafeFilter(
  db: Db,
  caller: Caller,
  id: string,
  precondition: Precondition,
): Promise<VersionedAlias> {
  return db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, precondition);
    if (row.safe_filter === null) throw noSafeFilter();
    return writeAlias(tx, caller, row, { ai_filter: row.safe_filter }, db.now());
  });
}

export async function removeAlias(
  db: Db,
  caller: Caller,
  id: string,
  precondition: Precondition,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockedAlias(tx, caller, id, precondition);
    await tx.run(deleteAlias, { id, account_id: caller.id });
  });
}

type FoundAlias = AliasRow & { filter_name: string | null };

export async function lockedAlias(
  tx: Queries,
  caller: Caller,
  id: string,
  precondition: Precondition,
): Promise<FoundAlias> {
  const row = await tx.one(lockAlias, { id, account_id: caller.id });
  if (!row) throw aliasNotFound();
  precondition(row.version);
  return row;
}

export async function writeAlias(
  tx: Queries,
  caller: Caller,
  row: FoundAlias,
  change: AliasChange,
  now: number,
): Promise<VersionedAlias> {
  const filter =
    change.ai_filter === undefined || change.ai_filter === row.ai_filter
      ? undefined
      : await ownFilter(tx, caller, change.ai_filter);
  if (change.safe_filter) await ownFilter(tx, caller, change.safe_filter);
  const project = change.project ?? row.project;
  const safe_filter = change.safe_filter === undefined ? row.safe_filter : change.safe_filter;
  // Its time and its version say that something changed.
  if (!filter && project === row.project && safe_filter === row.safe_filter) return versioned(row, caller);
  const history = historyOf(row);
  if (filter) {
    history.push({
      ai_filter_id: row.ai_filter,
      ai_filter_name: row.filter_name ?? row.ai_filter_name,
      time_removed: isoTime(now),
    });
  }
  await tx.run(updateAlias, {
    id: row.id,
    ai_filter: filter?.id ?? row.ai_filter,
    ai_filter_name: filter?.name ?? row.ai_filter_name,
    project,
    history: JSON.stringify(history.slice(-mostRemembered)),
    safe_filter,
    updated_at: now,
  });
  return readAlias(tx, caller, row.id);
}

export async function ownFilter(db: Queries, caller: Caller, id: string): Promise<CustomFilterRow> {
  const filter = await db.one(findCustomFilter, { id, account_id: caller.id });
  if (!filter) throw filterNotFound();
  return filter;
}

export function historyOf(row: Pick<AliasRow, 'history'>): Alias['history'] {
  return readJson(Alias.shape.history, row.history);
}

function versioned(row: FoundAlias, caller: Caller): VersionedAlias {
  return { alias: aliasOf(row, caller), version: row.version };
}

function aliasOf(row: FoundAlias, caller: Caller): Alias {
  const history = historyOf(row);
  const created_at = isoTime(row.created_at);
  return {
    id: row.id,
    ai_filter: row.ai_filter,
    ai_filter_data: { label: row.filter_name ?? row.ai_filter_name },
    project: row.project,
    user: caller.email,
    created_at,
    updated_at: isoTime(row.updated_at),
    last_used: row.last_used === null ? null : isoTime(row.last_used),
    history,
    safe_filter: row.safe_filter,
    filter_changed_at: history.at(-1)?.time_removed ?? created_at,
    draft:
      row.draft_filter === null
        ? null
        : {
            ai_filter: row.draft_filter,
            number: row.draft_number,
            changed_at: isoTime(row.draft_changed_at ?? row.updated_at),
          },
  };
}
