import type { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import type { CustomDefinition, WorkflowDefinition } from '@guise/contract/filters.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { ImageBytes, Upload } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import {
  clearSafeFilter,
  countCustomFilters,
  deleteCustomFilter,
  findCustomFilter,
  insertCustomFilter,
  keepFilterName,
  listAliasesOfFilter,
  listCustomFilters,
  previewKeysOf,
  updateCustomFilter,
} from '../store/filter-records.ts';
import { deletePreviewsOf } from '../store/render-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { enqueuePreview } from './filter-renders.ts';
import { limitReached } from './limit-reached.ts';
import { newTemplateKey, removeUnneededTemplate, templateOf } from './templates.ts';

export const customFilterNotFound = () =>
  new AppError('NOT_FOUND', 'There is no custom filter with this id.');

const filterInUse = (aliases: { id: string }[]) =>
  new AppError(
    'FILTER_IN_USE',
    `Aliases point to this filter: ${aliases.map((alias) => alias.id).join(', ')}. Point them to another filter first, or add force=true.`,
  );

/** What a definition is checked against when a filter is saved. */
export interface DefinitionChecks {
  scenes: readonly string[];
  looks: readonly string[];
  costumes: readonly string[];
  readPhoto(image: string | Upload): Promise<ImageBytes>;
  /** The problems of a workflow; their paths are relative to the definition. */
  workflow(definition: WorkflowDefinition): Promise<FieldProblem[]>;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}

/** Saves a filter and enqueues its preview. `maxFilters` is how many an account may have; 0 is no limit. */
export async function createCustomFilter(
  parts: Parts & { maxFilters: number },
  accountId: string,
  wanted: NewCustomFilter,
  origin: CustomFilterRow['origin'] = 'self_created',
): Promise<CustomFilterRow> {
  if (parts.maxFilters > 0) {
    const { count } = (await parts.db.one(countCustomFilters, { account_id: accountId }))!;
    if (count >= parts.maxFilters) throw limitReached(parts.maxFilters, 'filters');
  }
  const id = newId();
  const now = Date.now();
  const row: CustomFilterRow = {
    id,
    account_id: accountId,
    name: wanted.name,
    filter_type: wanted.filter_type,
    definition: JSON.stringify(await storeDefinition(parts, id, wanted.definition)),
    origin,
    previews: '[]',
    version: 1,
    note: '',
    ready_by: null,
    ready_at: null,
    created_at: now,
    updated_at: now,
  };
  const saved = parts.db.transaction(async (tx) => {
    await tx.run(insertCustomFilter, row);
    await enqueuePreview(tx, row);
  });
  await saved.catch(async (error) => {
    await removeUnneededTemplate(parts, templateOf(definitionOf(row)));
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
  accountId: string,
  id: string,
  change: CustomFilterChange,
): Promise<CustomFilterRow> {
  const before = await readCustomFilter(parts.db, accountId, id);
  if (change.definition?.kind === 'template' && before.filter_type !== 'face_swap') {
    throw invalidDefinition('kind', 'a template is for filters of type face_swap');
  }
  const wanted = change.definition && (await storeDefinition(parts, id, change.definition));
  const replaced = await replaceVersion(parts.db, before, {
    ...(change.name !== undefined && { name: change.name }),
    ...(wanted && { definition: JSON.stringify(wanted) }),
  });
  if (wanted) {
    // The photo of the version that was replaced, or that of this one where the filter was deleted meanwhile.
    await removeUnneededTemplate(parts, templateOf(replaced ? definitionOf(replaced) : wanted));
  }
  return readCustomFilter(parts.db, accountId, id);
}

/** Makes the next version, after those of others who edit the filter too. Returns the one it replaces. */
async function replaceVersion(
  db: Db,
  before: CustomFilterRow,
  change: Partial<Pick<CustomFilterRow, 'name' | 'definition'>>,
): Promise<CustomFilterRow | undefined> {
  const { id, account_id } = before;
  let current: CustomFilterRow | undefined = before;
  while (current) {
    const next: CustomFilterRow = { ...current, ...change, updated_at: Date.now() };
    const changed = await db.transaction(async (tx) => {
      const rows = await tx.run(updateCustomFilter, next);
      if (rows === 1 && change.definition !== undefined) await enqueuePreview(tx, next);
      return rows === 1;
    });
    if (changed) return current;
    current = await db.one(findCustomFilter, { id, account_id });
  }
  return undefined;
}

/** A filter that aliases point to is removed only with `force`; the aliases then answer `WORKFLOW_FETCH_FAILED`. */
export async function removeCustomFilter(
  parts: Parts,
  accountId: string,
  id: string,
  force: boolean,
): Promise<void> {
  const row = await parts.db.transaction(async (tx) => {
    const found = await tx.one(findCustomFilter, { id, account_id: accountId });
    if (!found) throw customFilterNotFound();
    const aliases = await tx.all(listAliasesOfFilter, { filter_id: id, account_id: accountId });
    if (aliases.length > 0 && !force) throw filterInUse(aliases);
    // First the filter, then its aliases, as a submit locks them.
    await tx.run(deleteCustomFilter, { id, account_id: accountId });
    await tx.run(keepFilterName, { ai_filter: id, name: found.name });
    await tx.run(clearSafeFilter, { filter_id: id, account_id: accountId });
    await tx.run(deletePreviewsOf, { filter_id: id, account_id: accountId });
    return found;
  });
  await removeUnneededTemplate(parts, templateOf(definitionOf(row)));
  for (const key of previewKeysOf(row)) await parts.blobs.remove(key);
}

export function definitionOf(row: Pick<CustomFilterRow, 'definition'>): CustomDefinition {
  return JSON.parse(row.definition) as CustomDefinition;
}

export function customFilterOf(row: CustomFilterRow, linkOf: (key: string) => string): CustomFilter {
  return {
    id: row.id,
    name: row.name,
    filter_type: row.filter_type,
    preview_images: previewKeysOf(row).map(linkOf),
    origin: row.origin,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Checks the names and the workflow of a definition, and stores the photo of a template as a blob. */
async function storeDefinition(
  parts: Parts,
  filterId: string,
  wanted: CustomDefinition,
): Promise<CustomDefinition> {
  if (wanted.kind === 'scene') {
    assertKnownName('scene', wanted.scene, parts.checks.scenes);
    assertKnownName('look', wanted.look, parts.checks.looks);
    assertKnownName('costume', wanted.costume, parts.checks.costumes);
  }
  if (wanted.kind === 'workflow') {
    const problems = await parts.checks.workflow(wanted);
    if (problems.length > 0) throw invalidFields(problems);
  }
  if (wanted.kind !== 'template') return wanted;
  const photo = await parts.checks.readPhoto(wanted.image);
  const key = newTemplateKey(filterId);
  await parts.blobs.put(key, photo);
  return { kind: 'template', image: key };
}

function assertKnownName(field: string, name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw invalidDefinition(
    field,
    known.length > 0 ? `must be one of ${known.join(', ')}` : 'this server has none',
  );
}

const invalidDefinition = (path: string, message: string) => invalidFields([{ path, message }]);

function invalidFields(problems: FieldProblem[]): AppError {
  const fields = problems.map(({ path, message }) => ({ path: `definition.${path}`, message }));
  return new AppError('VALIDATION_ERROR', `${fields[0]!.path}: ${fields[0]!.message}.`, { fields });
}
