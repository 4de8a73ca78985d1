import type { Alias, AliasChange, NewAlias } from '@guise/contract/aliases.ts';
import type { Caller } from '../accounts/callers.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  countAliases,
  deleteAlias,
  findAlias,
  findCustomFilter,
  insertAlias,
  listAliases,
  updateAlias,
} from '../store/filter-records.ts';
import type { AliasRow, CustomFilterRow } from '../store/schema.ts';
import { limitReached } from './limit-reached.ts';
import { filterNotFound } from './resolve.ts';

export const aliasNotFound = () => new AppError('ALIAS_NOT_FOUND', 'There is no alias with this id.');

/** An account may have as many. */
export const mostAliases = 1000;
/** Filters that an alias remembers; the oldest are forgotten. */
const mostRemembered = 1000;

export async function createAlias(db: Db, caller: Caller, wanted: NewAlias): Promise<Alias> {
  const { count } = (await db.one(countAliases, { account_id: caller.id }))!;
  if (count >= mostAliases) throw limitReached(mostAliases, 'aliases');
  const filter = await ownFilter(db, caller, wanted.ai_filter);
  const now = Date.now();
  const row: AliasRow = {
    id: newId(),
    account_id: caller.id,
    ai_filter: filter.id,
    ai_filter_name: filter.name,
    project: wanted.project,
    history: '[]',
    created_at: now,
    updated_at: now,
    last_used: null,
  };
  await db.run(insertAlias, row);
  return aliasOf({ ...row, filter_name: filter.name }, caller);
}

export async function readAlias(db: Queries, caller: Caller, id: string): Promise<Alias> {
  const row = await db.one(findAlias, { id, account_id: caller.id });
  if (!row) throw aliasNotFound();
  return aliasOf(row, caller);
}

export async function readAliases(db: Db, caller: Caller): Promise<Alias[]> {
  const rows = await db.all(listAliases, { account_id: caller.id });
  return rows.map((row) => aliasOf(row, caller));
}

/** Another filter moves the current one into the history; the same filter again leaves the history as it is. */
export async function changeAlias(db: Db, caller: Caller, id: string, change: AliasChange): Promise<Alias> {
  return db.transaction(async (tx) => {
    const row = await tx.one(findAlias, { id, account_id: caller.id });
    if (!row) throw aliasNotFound();
    const filter =
      change.ai_filter === undefined || change.ai_filter === row.ai_filter
        ? undefined
        : await ownFilter(tx, caller, change.ai_filter);
    const now = Date.now();
    const history = historyOf(row);
    if (filter) {
      history.push({
        ai_filter_id: row.ai_filter,
        ai_filter_name: row.filter_name ?? row.ai_filter_name,
        time_removed: isoTime(now),
      });
    }
    await tx.run(updateAlias, {
      id,
      ai_filter: filter?.id ?? row.ai_filter,
      ai_filter_name: filter?.name ?? row.ai_filter_name,
      project: change.project ?? row.project,
      history: JSON.stringify(history.slice(-mostRemembered)),
      updated_at: now,
    });
    return readAlias(tx, caller, id);
  });
}

export async function removeAlias(db: Db, caller: Caller, id: string): Promise<void> {
  if ((await db.run(deleteAlias, { id, account_id: caller.id })) === 0) throw aliasNotFound();
}

async function ownFilter(db: Queries, caller: Caller, id: string): Promise<CustomFilterRow> {
  const filter = await db.one(findCustomFilter, { id, account_id: caller.id });
  if (!filter) throw filterNotFound();
  return filter;
}

function historyOf(row: Pick<AliasRow, 'history'>): Alias['history'] {
  return JSON.parse(row.history) as Alias['history'];
}

function aliasOf(row: AliasRow & { filter_name: string | null }, caller: Caller): Alias {
  return {
    id: row.id,
    ai_filter: row.ai_filter,
    ai_filter_data: { label: row.filter_name ?? row.ai_filter_name },
    project: row.project,
    user: caller.email,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_used: row.last_used === null ? null : isoTime(row.last_used),
    history: historyOf(row),
  };
}
