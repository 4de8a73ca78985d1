import type { AliasCheck, AliasDraft, NewAliasDraft } from '@guise/contract/aliases.ts';
import { outcomeOf } from '@guise/contract/filter-details.ts';
import type { Caller } from '../accounts/callers.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import type { Db, Queries } from '../store/db.ts';
import { listChecks } from '../store/filter-draft-records.ts';
import { findAlias, findCustomFilter, setAliasDraft } from '../store/filter-records.ts';
import type { AliasRow, CustomFilterRow } from '../store/schema.ts';
import {
  aliasNotFound,
  historyOf,
  lockedAlias,
  ownFilter,
  type VersionedAlias,
  writeAlias,
} from './aliases.ts';
import { assertChecked } from './assert-checked.ts';
import { type LinkOf, shownCheck } from './shown-filters.ts';

const draftNotFound = () => new AppError('NOT_FOUND', 'This alias has no draft.');

/** Saves where an alias is to point to. Booths go on with the filter that is in it. Returns that filter. */
export async function saveAliasDraft(
  db: Db,
  caller: Caller,
  id: string,
  { ai_filter, based_on }: NewAliasDraft,
): Promise<CustomFilterRow> {
  return db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, () => {});
    if (based_on !== undefined && based_on !== draftNumberOf(row)) throw changedElsewhere();
    const filter = await ownFilter(tx, caller, ai_filter);
    await tx.run(setAliasDraft, {
      id,
      draft_filter: filter.id,
      draft_number: row.draft_number + 1,
      draft_changed_at: db.now(),
    });
    return filter;
  });
}

/** The draft, with what was checked of it, and its filter where that still exists. */
export async function readAliasDraft(
  db: Db,
  caller: Caller,
  id: string,
  linkOf: LinkOf,
): Promise<{ draft: AliasDraft; filter: CustomFilterRow | undefined }> {
  const row = await db.one(findAlias, { id, account_id: caller.id });
  if (!row) throw aliasNotFound();
  if (row.draft_filter === null) throw draftNotFound();
  const filter = await db.one(findCustomFilter, { id: row.draft_filter, account_id: caller.id });
  const checks = await checkDraft(db, row, filter, linkOf);
  const draft = {
    ai_filter: row.draft_filter,
    number: row.draft_number,
    changed_at: isoTime(row.draft_changed_at ?? row.updated_at),
    outcome: outcomeOf(checks),
    checks,
  };
  return { draft, filter };
}

/** The alias goes on as it is. */
export async function discardAliasDraft(db: Db, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, () => {});
    await endDraft(tx, row, db.now());
  });
}

/** Points the alias to the filter of its draft, which goes into its history as every swap does. */
export async function makeAliasDraftLive(
  db: Db,
  caller: Caller,
  id: string,
  { number, unchecked }: { number: number; unchecked: boolean },
  precondition: Precondition,
): Promise<VersionedAlias> {
  return db.transaction(async (tx) => {
    const row = await lockedAlias(tx, caller, id, precondition);
    if (row.draft_filter === null) throw draftNotFound();
    if (row.draft_number !== number) throw changedElsewhere();
    const filter = await tx.one(findCustomFilter, { id: row.draft_filter, account_id: caller.id });
    assertChecked(await checkDraft(tx, row, filter, (key) => key), unchecked);
    const now = db.now();
    await endDraft(tx, row, now);
    return writeAlias(tx, caller, { ...row, draft_filter: null }, { ai_filter: row.draft_filter }, now);
  });
}

const draftNumberOf = ({ draft_filter, draft_number }: AliasRow) =>
  draft_filter === null ? null : draft_number;

/** Numbers go on, so that whoever has read a draft that was put away does not end a later one. */
async function endDraft(tx: Queries, { id, draft_number }: AliasRow, now: number): Promise<void> {
  await tx.run(setAliasDraft, { id, draft_filter: null, draft_number, draft_changed_at: now });
}

/** Who the slot is for, then what was checked of the version of the filter that is live. */
async function checkDraft(
  db: Queries,
  row: AliasRow,
  filter: CustomFilterRow | undefined,
  linkOf: LinkOf,
): Promise<AliasCheck[]> {
  const slot = { kind: 'slot', photo: null, picture_url: null } as const;
  if (!filter) return [{ ...slot, outcome: 'failed', sentences: ['The filter was deleted.'] }];
  const checks = await db.all(listChecks, { filter_id: filter.id, version: filter.version });
  const type = await typeOfSlot(db, row);
  const isOther = type !== undefined && type !== filter.filter_type;
  const sentences = isOther
    ? [
        `The slot is ${people[type]}, and this filter is ${people[filter.filter_type]}: booths that call the slot ${people[type]} get an error.`,
      ]
    : [];
  const shown = checks.map((check) => shownCheck(check, linkOf));
  // Until its photos are there, nobody knows whether it works.
  const waiting: AliasCheck = {
    kind: 'definition',
    photo: null,
    outcome: 'waiting',
    sentences: [],
    picture_url: null,
  };
  return [
    { ...slot, outcome: isOther ? 'warned' : 'passed', sentences },
    ...(shown.length > 0 ? shown : [waiting]),
  ];
}

const people = { face_swap: 'for one person', multi_swap: 'for groups' } as const;

/** A slot is for whom its first filter is for, as far as there still is one. */
async function typeOfSlot(db: Queries, row: AliasRow): Promise<CustomFilterRow['filter_type'] | undefined> {
  const ids = new Set([...historyOf(row).map(({ ai_filter_id }) => ai_filter_id), row.ai_filter]);
  for (const id of ids) {
    const filter = await db.one(findCustomFilter, { id, account_id: row.account_id });
    if (filter) return filter.filter_type;
  }
  return undefined;
}
