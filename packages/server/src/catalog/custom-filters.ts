import type { CustomFilterChange, FilterType, NewCustomFilter } from '@guise/contract/catalogs.ts';
import type { FilterCopy } from '@guise/contract/filter-details.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { imageTypeOf } from '../media/inspect-image.ts';
import type { Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  clearSafeFilter,
  countCustomFilters,
  deleteCustomFilter,
  findCustomFilter,
  insertCustomFilter,
  keepFilterName,
  listAliasesOfFilter,
  listCustomFilters,
  lockCustomFilterToChange,
} from '../store/filter-records.ts';
import { deletePreviewsOf } from '../store/render-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import {
  type DefinitionChecks,
  definitionOf,
  invalidDefinition,
  invalidFields,
  storeDefinition,
} from './definitions.ts';
import { enqueuePreview } from './filter-renders.ts';
import { dropAllVersions, readVersion, removeBlobsOf, replaceVersion } from './filter-versions.ts';
import { limitReached } from './limit-reached.ts';
import { newTemplateKey, removeUnneededTemplate, templateOf } from './templates.ts';

export const customFilterNotFound = () =>
  new AppError('NOT_FOUND', 'There is no custom filter with this id.');

const filterInUse = (aliases: { id: string }[]) =>
  new AppError(
    'FILTER_IN_USE',
    `Aliases point to this filter: ${aliases.map((alias) => alias.id).join(', ')}. Point them to another filter first, or add force=true.`,
  );

const templateIsGone = () =>
  new AppError('WORKFLOW_FETCH_FAILED', 'The photo of this filter is no longer there. Save it again.');

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}

/** `maxFilters` is how many an account may have; 0 is no limit. */
type CreateParts = Parts & { maxFilters: number };

/** A filter of an account, by its id. */
export interface FilterAddress {
  accountId: string;
  id: string;
}

/** Writes what belongs to a new filter in the transaction that inserts it. What it throws refuses the filter. */
export type OnInsert = (tx: Queries, id: string) => Promise<void>;

/** Saves a filter and enqueues its preview. */
export async function createCustomFilter(
  parts: CreateParts,
  accountId: string,
  wanted: NewCustomFilter,
  onInsert: OnInsert = async () => {},
): Promise<CustomFilterRow> {
  await assertRoom(parts, accountId);
  const id = newId();
  const owner = { id, accountId };
  const definition = await storeUsableDefinition(parts, owner, wanted.definition, wanted.filter_type);
  const filter = { id, account_id: accountId, ...wanted, definition, origin: 'self_created' } as const;
  return insertFilter(parts, filter, onInsert);
}

/** Refuses a template that no guest's face can be put into: guests would be told that something is wrong with their photo. */
export async function storeUsableDefinition(
  parts: Parts,
  owner: FilterAddress,
  wanted: CustomDefinition,
  type: FilterType,
): Promise<CustomDefinition> {
  const stored = await storeDefinition(parts, owner, wanted, type);
  if (stored.kind !== 'template') return stored;
  const problems = await parts.checks.template(await readTemplate(parts.blobs, stored.image));
  if (problems.length === 0) return stored;
  await removeUnneededTemplate(parts, stored.image);
  throw invalidFields(problems);
}

/** Saves a filter of the same definition, with a photo of its own where it is a template. */
export async function duplicateCustomFilter(
  parts: CreateParts,
  address: FilterAddress,
  { name }: FilterCopy,
  onInsert: OnInsert = async () => {},
): Promise<CustomFilterRow> {
  const original = await readCustomFilter(parts.db, address.accountId, address.id);
  await assertRoom(parts, address.accountId);
  const id = newId();
  const copy = {
    id,
    account_id: address.accountId,
    name: name ?? `${original.name.slice(0, 115)} copy`,
    filter_type: original.filter_type,
    definition: await copyDefinition(parts.blobs, id, definitionOf(original)),
    origin: original.origin,
  };
  return insertFilter(parts, copy, onInsert);
}

async function assertRoom(
  { db, maxFilters }: { db: Pick<Queries, 'one'>; maxFilters: number },
  account_id: string,
): Promise<void> {
  if (maxFilters === 0) return;
  const { count } = (await db.one(countCustomFilters, { account_id }))!;
  if (count >= maxFilters) throw limitReached(maxFilters, 'filters');
}

async function copyDefinition(
  blobs: Blobs,
  ownerId: string,
  definition: CustomDefinition,
): Promise<CustomDefinition> {
  if (definition.kind !== 'template') return definition;
  const photo = await readTemplate(blobs, definition.image);
  const image = newTemplateKey(ownerId, imageTypeOf(photo));
  await blobs.put(image, photo);
  return { kind: 'template', image };
}

/** The photo of a template filter. */
export async function readTemplate(blobs: Blobs, key: string): Promise<Buffer> {
  const photo = await blobs.read(key);
  if (!photo) throw templateIsGone();
  return photo;
}

async function insertFilter(
  parts: CreateParts,
  filter: Pick<CustomFilterRow, 'id' | 'account_id' | 'name' | 'filter_type' | 'origin'> & {
    definition: CustomDefinition;
  },
  onInsert: OnInsert,
): Promise<CustomFilterRow> {
  const now = parts.db.now();
  const row: CustomFilterRow = {
    id: filter.id,
    account_id: filter.account_id,
    name: filter.name,
    filter_type: filter.filter_type,
    definition: JSON.stringify(filter.definition),
    origin: filter.origin,
    previews: '[]',
    version: 1,
    note: '',
    ready_by: null,
    ready_at: null,
    draft_version: null,
    draft_changed_at: null,
    created_at: now,
    updated_at: now,
  };
  const saved = parts.db.transaction(async (tx) => {
    await onInsert(tx, row.id);
    // Others may have been made while the photo of a template was checked.
    await assertRoom({ ...parts, db: tx }, row.account_id);
    await tx.run(insertCustomFilter, row);
    await enqueuePreview(tx, row);
  });
  await saved.catch(async (error) => {
    await removeUnneededTemplate(parts, templateOf(filter.definition));
    throw error;
  });
  return row;
}

export async function readCustomFilter(db: Db, accountId: string, id: string): Promise<CustomFilterRow> {
  const row = await db.one(findCustomFilter, { id, account_id: accountId });
  if (!row) throw customFilterNotFound();
  return row;
}

export function readCustomFilters(db: Db, accountId: string): Promise<CustomFilterRow[]> {
  return db.all(listCustomFilters, { account_id: accountId });
}

/** Another definition is another picture: its preview is enqueued. */
export async function changeCustomFilter(
  parts: Parts,
  { accountId, id }: FilterAddress,
  { name, definition, note = '' }: CustomFilterChange,
  precondition: Precondition,
): Promise<CustomFilterRow> {
  const before = await readCustomFilter(parts.db, accountId, id);
  precondition(before.version);
  if (definition?.kind === 'template' && before.filter_type !== 'face_swap') {
    throw invalidDefinition('kind', 'a template is for filters of type face_swap');
  }
  const owner = { accountId, id };
  const stored = definition && (await storeUsableDefinition(parts, owner, definition, before.filter_type));
  const change = {
    ...(name !== undefined && { name }),
    ...(stored && { definition: JSON.stringify(stored) }),
    note,
  };
  try {
    await replaceVersion(parts, before, async () => change, precondition);
  } finally {
    // Nobody needs the photo where the filter was changed elsewhere or deleted meanwhile.
    if (stored) await removeUnneededTemplate(parts, templateOf(stored));
  }
  return readCustomFilter(parts.db, accountId, id);
}

/** Makes a new version that has the definition of an earlier one. */
export async function restoreVersion(
  parts: Parts,
  { accountId, id }: FilterAddress,
  version: number,
  precondition: Precondition,
): Promise<CustomFilterRow> {
  const before = await readCustomFilter(parts.db, accountId, id);
  await replaceVersion(
    parts,
    before,
    async (tx, current) => {
      const { definition, previews } = await readVersion(tx, current, version);
      return { definition, ...(previews !== '[]' && { previews }), note: `Version ${version} again` };
    },
    precondition,
  );
  return readCustomFilter(parts.db, accountId, id);
}

/** A filter that aliases point to is removed only with `force`; the aliases then answer `WORKFLOW_FETCH_FAILED`. */
export async function removeCustomFilter(
  parts: Parts,
  { accountId, id }: FilterAddress,
  force: boolean,
  precondition: Precondition,
): Promise<void> {
  const removed = await parts.db.transaction(async (tx) => {
    // First the filter, then its aliases, as a submit locks them.
    const found = await tx.one(lockCustomFilterToChange, { id, account_id: accountId });
    if (!found) throw customFilterNotFound();
    precondition(found.version);
    const aliases = await tx.all(listAliasesOfFilter, { filter_id: id, account_id: accountId });
    if (aliases.length > 0 && !force) throw filterInUse(aliases);
    await tx.run(deleteCustomFilter, { id, account_id: accountId });
    await tx.run(keepFilterName, { ai_filter: id, name: found.name });
    await tx.run(clearSafeFilter, { filter_id: id, account_id: accountId });
    await tx.run(deletePreviewsOf, { filter_id: id, account_id: accountId });
    return [found, ...(await dropAllVersions(tx, id))];
  });
  await removeBlobsOf(parts, removed);
}
