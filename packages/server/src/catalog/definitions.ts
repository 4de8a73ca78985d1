import type { FilterType } from '@guise/contract/catalogs.ts';
import type { WorkflowCheck } from '@guise/contract/definition-checks.ts';
import type { CustomDefinition, FilterKind, WorkflowDefinition } from '@guise/contract/filters.ts';
import { ownSceneId } from '@guise/contract/scenes/own-scenes.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import type { DecodingCaller } from '../media/decoder.ts';
import type { Image } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { newTemplateKey } from './templates.ts';

/** What a definition is checked against when a filter is saved. */
export interface DefinitionChecks {
  scenes: readonly string[];
  looks: readonly string[];
  costumes: readonly string[];
  lights: readonly string[];
  weathers: readonly string[];
  palettes: readonly string[];
  readPhoto(image: string | Upload, asked?: DecodingCaller): Promise<Image>;
  /** Whether the account has a scene of this id. */
  isOwnScene(accountId: string, id: string): Promise<boolean>;
  /** The problems of a workflow; their paths are relative to the definition. */
  workflow(definition: WorkflowDefinition, type: FilterType): Promise<FieldProblem[]>;
  /** The problems of a photo as a template; none where no engine of this process can tell. */
  template(photo: Buffer): Promise<FieldProblem[]>;
  /** Whether an engine that is there makes filters of this kind. */
  isMade(kind: FilterKind, type: FilterType): Promise<boolean>;
  /** The nodes of a workflow that is not bound yet. */
  describeWorkflow(workflow: Record<string, unknown>): Promise<WorkflowCheck>;
}

/** Checks the names and the workflow of a definition, and stores the photo of a template as a blob of this owner. */
export async function storeDefinition(
  { blobs, checks }: { blobs: Blobs; checks: DefinitionChecks },
  owner: { id: string; accountId: string },
  wanted: CustomDefinition,
  type: FilterType,
): Promise<CustomDefinition> {
  const problems = await findDefinitionProblems(checks, wanted, type, owner.accountId);
  if (problems.length > 0) throw invalidFields(problems);
  if (wanted.kind !== 'template') return wanted;
  const photo = await checks.readPhoto(wanted.image);
  const key = newTemplateKey(owner.id, photo.type);
  await blobs.put(key, photo.bytes);
  return { kind: 'template', image: key };
}

/** What is wrong with the names or the workflow of a definition. The photo of a template is checked by itself. */
export async function findDefinitionProblems(
  checks: DefinitionChecks,
  definition: CustomDefinition,
  type: FilterType,
  accountId: string,
): Promise<FieldProblem[]> {
  if (definition.kind === 'workflow') return checks.workflow(definition, type);
  if (definition.kind !== 'scene') return [];
  const own = ownSceneId(definition.scene);
  return [
    ...(own === null
      ? checkName('scene', definition.scene, checks.scenes)
      : await checkOwnScene(checks, accountId, own)),
    ...checkName('look', definition.look, checks.looks),
    ...checkName('costume', definition.costume, checks.costumes),
    ...checkName('light', definition.light, checks.lights),
    ...checkName('weather', definition.weather, checks.weathers),
    ...checkName('palette', definition.palette, checks.palettes),
  ].slice(0, 1);
}

/** The definition as it is stored: the image of a template is a blob's key. */
export function definitionOf(row: Pick<CustomFilterRow, 'definition'>): CustomDefinition {
  return JSON.parse(row.definition) as CustomDefinition;
}

async function checkOwnScene(
  checks: DefinitionChecks,
  accountId: string,
  id: string,
): Promise<FieldProblem[]> {
  if (await checks.isOwnScene(accountId, id)) return [];
  return [{ path: 'scene', message: 'must be a scene that is there: this account has none with this id' }];
}

function checkName(path: string, name: string | undefined, known: readonly string[]): FieldProblem[] {
  if (name === undefined || known.includes(name)) return [];
  return [
    { path, message: known.length > 0 ? `must be one of ${known.join(', ')}` : 'this server has none' },
  ];
}

export const invalidDefinition = (path: string, message: string) => invalidFields([{ path, message }]);

export function invalidFields(problems: FieldProblem[]): AppError {
  const fields = problems.map(({ path, message }) => ({ path: `definition.${path}`, message }));
  return new AppError('VALIDATION_ERROR', `${fields[0]!.path}: ${fields[0]!.message}.`, { fields });
}
