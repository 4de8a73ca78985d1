import type { NewDraft } from '@guise/contract/filter-details.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { deleteUnfinishedChecks, listChecks, setDraft } from '../store/filter-draft-records.ts';
import { findVersion, insertVersion, lockCustomFilterToChange } from '../store/filter-records.ts';
import { readJson, TextList } from '../store/json-column.ts';
import type { CustomFilterRow, CustomFilterVersionRow } from '../store/schema.ts';
import { assertChecked } from './assert-checked.ts';
import {
  customFilterNotFound,
  type FilterAddress,
  type OnInsert,
  readCustomFilter,
  storeUsableDefinition,
} from './custom-filters.ts';
import { type DefinitionChecks, invalidDefinition } from './definitions.ts';
import {
  blobsOfChecks,
  dropOldVersions,
  nextVersion,
  readVersion,
  removeBlobsOf,
  replaceVersion,
  versionNotFound,
  versionNumber,
} from './filter-versions.ts';
import { removeUnneededTemplate, templateOf } from './templates.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}

/** Saves a version that does not go live, and returns its number. The live one stays as it is. */
export async function saveDraft(
  parts: Parts,
  { accountId, id }: FilterAddress,
  { name, definition, note = '', based_on }: NewDraft,
  onInsert: OnInsert,
): Promise<number> {
  const filter = await readCustomFilter(parts.db, accountId, id);
  if (definition?.kind === 'template' && filter.filter_type !== 'face_swap')
    throw invalidDefinition('kind', 'a template is for filters of type face_swap');
  const stored =
    definition && (await storeUsableDefinition(parts, { accountId, id }, definition, filter.filter_type));
  try {
    const { saved, removed } = await parts.db.transaction(async (tx) => {
      const current = await lockFilter(tx, { accountId, id });
      const base = await newestOf(tx, current);
      if (based_on !== undefined && based_on !== base.version) throw changedElsewhere();
      const version = await nextVersion(tx, current);
      await onInsert(tx, String(version));
      const changed = { ...(name !== undefined && { name }), note, version, draft: 1 } as const;
      const text = stored ? JSON.stringify(stored) : base.definition;
      const made = { definition: text, previews: '[]', created_at: parts.db.now() };
      await tx.run(insertVersion, { ...base, ...changed, ...made });
      const unfinished = { filter_id: id, live: current.version };
      const noLongerChecked = await blobsOfChecks(tx, await tx.all(deleteUnfinishedChecks, unfinished));
      await tx.run(setDraft, { id, draft_version: version, draft_changed_at: parts.db.now() });
      return { saved: version, removed: noLongerChecked };
    });
    await removeBlobsOf(parts, removed);
    return saved;
  } finally {
    // Nobody needs the photo where the draft was refused.
    if (stored) await removeUnneededTemplate(parts, templateOf(stored));
    await removeOldVersions(parts, { accountId, id });
  }
}

/** The version that is worked on: the open draft, or the live one. */
async function newestOf(tx: Queries, current: CustomFilterRow): Promise<CustomFilterVersionRow> {
  return readVersion(tx, current, current.draft_version ?? current.version);
}

async function removeOldVersions(parts: Parts, { accountId, id }: FilterAddress): Promise<void> {
  const dropped = await parts.db.transaction(async (tx) => {
    const current = await tx.one(lockCustomFilterToChange, { id, account_id: accountId });
    return current ? dropOldVersions(tx, id, (await nextVersion(tx, current)) - 1) : [];
  });
  await removeBlobsOf(parts, dropped);
}

/** Says which draft is worked on from here, or that none is. Drafts that are put away are kept among the versions. */
export async function chooseDraft(
  { db }: Pick<Parts, 'db'>,
  { accountId, id }: FilterAddress,
  version: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockFilter(tx, { accountId, id });
    if (version !== null) await readDraft(tx, id, version);
    await tx.run(setDraft, { id, draft_version: version, draft_changed_at: db.now() });
  });
}

/** Makes a draft the live version. It is refused while its checks wait, unless `unchecked`, and when they failed. */
export async function makeDraftLive(
  parts: Parts,
  address: FilterAddress,
  { version, by, unchecked }: { version: number; by: string; unchecked: boolean },
  precondition: Precondition,
): Promise<CustomFilterRow> {
  const before = await readCustomFilter(parts.db, address.accountId, address.id);
  const goLive = async (tx: Queries) => {
    const { name, definition, note } = await readDraft(tx, before.id, version);
    const checks = await tx.all(listChecks, { filter_id: before.id, version });
    assertChecked(
      checks.map((check) => ({ ...check, sentences: readJson(TextList, check.sentences) })),
      unchecked,
    );
    const pictures = checks.map(({ picture }) => picture).filter((key) => key !== null);
    const previews = pictures.length > 0 ? { previews: JSON.stringify(pictures) } : {};
    return { name, definition, note, ...previews, draft: { version, by } };
  };
  await replaceVersion(parts, before, goLive, precondition);
  return readCustomFilter(parts.db, address.accountId, address.id);
}

async function lockFilter(tx: Queries, { accountId, id }: FilterAddress): Promise<CustomFilterRow> {
  const found = await tx.one(lockCustomFilterToChange, { id, account_id: accountId });
  if (!found) throw customFilterNotFound();
  return found;
}

async function readDraft(tx: Queries, filter_id: string, version: number): Promise<CustomFilterVersionRow> {
  const found = await tx.one(findVersion, { filter_id, version: versionNumber(String(version)) });
  if (!found || found.draft === 0) throw versionNotFound();
  return found;
}
