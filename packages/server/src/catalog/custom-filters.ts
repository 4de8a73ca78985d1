import type { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import type { CustomDefinition, WorkflowDefinition } from '@guise/contract/filters.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import {
  deleteCustomFilter,
  findCustomFilter,
  insertCustomFilter,
  keepFilterName,
  listAliasesOfFilter,
  listCustomFilters,
  updateCustomFilter,
} from '../store/filter-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';

export const customFilterNotFound = () =>
  new AppError('NOT_FOUND', 'There is no custom filter with this id.');

const filterInUse = (aliases: { id: string }[]) =>
  new AppError(
    'FILTER_IN_USE',
    `This filter is the target of the aliases ${aliases.map((alias) => alias.id).join(', ')}. Repoint them first, or add force=true.`,
  );

/** What a definition may name, and how a template photo is read: what is checked when a filter is saved. */
export interface DefinitionChecks {
  scenes: readonly string[];
  looks: readonly string[];
  costumes: readonly string[];
  readPhoto(image: string): Promise<Buffer>;
  /** What is wrong with a workflow, by its place in the definition. */
  workflow(definition: WorkflowDefinition): Promise<FieldProblem[]>;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  checks: DefinitionChecks;
}

export async function createCustomFilter(
  parts: Parts,
  accountId: string,
  wanted: NewCustomFilter,
  origin: CustomFilterRow['origin'] = 'self_created',
): Promise<CustomFilterRow> {
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
    created_at: now,
    updated_at: now,
  };
  await parts.db.run(insertCustomFilter, row);
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

export async function changeCustomFilter(
  parts: Parts,
  accountId: string,
  id: string,
  change: CustomFilterChange,
): Promise<CustomFilterRow> {
  const before = await readCustomFilter(parts.db, accountId, id);
  if (change.definition?.kind === 'template' && before.filter_type !== 'face_swap') {
    throw wrongDefinition('kind', 'a template is for filters of type face_swap');
  }
  const definition = change.definition
    ? JSON.stringify(await storeDefinition(parts, id, change.definition))
    : before.definition;
  await parts.db.run(updateCustomFilter, {
    id,
    name: change.name ?? before.name,
    definition,
    updated_at: Date.now(),
  });
  if (definition !== before.definition) await removeTemplate(parts.blobs, before);
  return readCustomFilter(parts.db, accountId, id);
}

/** A filter that aliases point to goes only when forced; they then answer `WORKFLOW_FETCH_FAILED` on use. */
export async function removeCustomFilter(
  parts: Parts,
  accountId: string,
  id: string,
  force: boolean,
): Promise<void> {
  const row = await parts.db.transaction(async (tx) => {
    const found = await tx.one(findCustomFilter, { id, account_id: accountId });
    if (!found) throw customFilterNotFound();
    const aliases = await tx.all(listAliasesOfFilter, { ai_filter: id });
    if (aliases.length > 0 && !force) throw filterInUse(aliases);
    await tx.run(keepFilterName, { ai_filter: id, name: found.name });
    await tx.run(deleteCustomFilter, { id, account_id: accountId });
    return found;
  });
  await removeTemplate(parts.blobs, row);
  for (const key of JSON.parse(row.previews) as string[]) await parts.blobs.remove(key);
}

export function customFilterOf(row: CustomFilterRow, linkOf: (key: string) => string): CustomFilter {
  return {
    id: row.id,
    name: row.name,
    filter_type: row.filter_type,
    preview_images: (JSON.parse(row.previews) as string[]).map(linkOf),
    origin: row.origin,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Refuses names that the catalog does not have and workflows that cannot run, and turns a template's photo into a blob's key. */
async function storeDefinition(
  parts: Parts,
  filterId: string,
  wanted: CustomDefinition,
): Promise<CustomDefinition> {
  if (wanted.kind === 'scene') {
    mustBeOne('scene', wanted.scene, parts.checks.scenes);
    mustBeOne('look', wanted.look, parts.checks.looks);
    mustBeOne('costume', wanted.costume, parts.checks.costumes);
  }
  if (wanted.kind === 'workflow') {
    const problems = await parts.checks.workflow(wanted);
    if (problems.length > 0) throw wrongFields(problems);
  }
  if (wanted.kind !== 'template') return wanted;
  const photo = await parts.checks.readPhoto(wanted.image);
  const key = `templates/${filterId}-${newId().slice(-12)}`;
  await parts.blobs.put(key, photo);
  return { kind: 'template', image: key };
}

function mustBeOne(field: string, name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw wrongDefinition(
    field,
    known.length > 0 ? `must be one of ${known.join(', ')}` : 'this server has none',
  );
}

const wrongDefinition = (path: string, message: string) => wrongFields([{ path, message }]);

function wrongFields(problems: FieldProblem[]): AppError {
  const fields = problems.map(({ path, message }) => ({ path: `definition.${path}`, message }));
  return new AppError('VALIDATION_ERROR', `${fields[0]!.path}: ${fields[0]!.message}.`, { fields });
}

async function removeTemplate(blobs: Blobs, row: CustomFilterRow): Promise<void> {
  const definition = JSON.parse(row.definition) as CustomDefinition;
  if (definition.kind === 'template') await blobs.remove(definition.image);
}
