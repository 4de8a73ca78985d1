import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { errorCodes } from '@guise/contract/error-codes.ts';
import { qualityModes } from '@guise/contract/families/face-swap.ts';
import { aspectRatios, videoDurations, videoModels } from '@guise/contract/families/video.ts';
import type { z } from 'zod';

/**
 * The shapes of the contract without zod, so that client libraries can have types that are made from it. A shape is
 * what is on the wire: what a caller may send, and what the server answers.
 */
export type Shape =
  | { kind: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | { kind: 'literals'; values: readonly (string | number | boolean | null)[] }
  | { kind: 'array'; items: Shape }
  | { kind: 'record'; values: Shape }
  | { kind: 'union'; options: readonly Shape[] }
  | { kind: 'object'; fields: readonly Field[] }
  | { kind: 'reference'; name: string };

export interface Field {
  name: string;
  shape: Shape;
  optional: boolean;
  description: string | undefined;
}

export interface NamedShape {
  name: string;
  shape: Shape;
}

/** Types of the contract that are lists of words, not schemas. */
const words: Readonly<Record<string, readonly string[]>> = {
  AspectRatio: aspectRatios,
  CatalogName: catalogNames,
  Duration: videoDurations,
  ErrorCode: Object.keys(errorCodes),
  QualityMode: qualityModes,
  VideoModel: videoModels,
};

const contractFolder = join(import.meta.dirname, '../../packages/contract/src');

/** Every schema that the contract exports, by its name, and the names by schema. */
async function readSchemas(): Promise<{ byName: Map<string, z.ZodType>; names: Map<unknown, string> }> {
  const files = readdirSync(contractFolder, { recursive: true, encoding: 'utf8' }).sort();
  const modules = await Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => import(join(contractFolder, file))),
  );
  const byName = new Map<string, z.ZodType>();
  for (const [name, value] of modules.flatMap((module) => Object.entries(module)))
    if (isSchema(value) && /^[A-Z]/.test(name)) byName.set(name, value);
  return { byName, names: new Map([...byName].map(([name, schema]) => [schema, name])) };
}

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The shapes of those names and of everything they refer to, sorted by name. */
export async function contractShapes(wanted: Iterable<string>): Promise<NamedShape[]> {
  const { byName, names } = await readSchemas();
  const shapes = new Map<string, Shape>();
  const add = (name: string): void => {
    if (shapes.has(name)) return;
    // `NewThingInput` is what callers may give for `NewThing`.
    const schema = byName.get(name) ?? byName.get(name.replace(/Input$/, ''));
    if (name === 'RunBodies') shapes.set(name, runBodies(byName, refer));
    else if (words[name]) shapes.set(name, { kind: 'literals', values: words[name] });
    else if (schema) {
      // Before it is walked: it may refer to itself.
      shapes.set(name, { kind: 'unknown' });
      shapes.set(name, shapeOf(schema, refer, true));
    } else throw new Error(`the contract has no schema called ${name}`);
  };
  const refer: Refer = (schema) => {
    const name = names.get(schema);
    if (name !== undefined) add(name);
    return name;
  };
  for (const name of wanted) add(name);
  return [...shapes].map(([name, shape]) => ({ name, shape })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The name that a schema is exported by, whose shape is then made too. */
type Refer = (schema: unknown) => string | undefined;

/** `RunBodies` is an interface of inputs: its source says which schema each family's is of. */
function runBodies(byName: ReadonlyMap<string, z.ZodType>, refer: Refer): Shape {
  const source = readFileSync(join(contractFolder, 'families/run-bodies.ts'), 'utf8');
  const rows = [...source.matchAll(/^ {2}(\w+): z\.input<typeof (\w+)>;$/gm)];
  const fields = rows.map(([, name, schema]) => ({
    name: name!,
    shape: shapeOf(byName.get(schema!)!, refer, true),
    optional: false,
    description: undefined,
  }));
  return { kind: 'object', fields };
}

/** What is used of zod's definitions. */
interface Definition {
  type: string;
  format?: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  valueType?: z.ZodType;
  entries?: Record<string, string>;
  values?: readonly (string | number | boolean | null)[];
  in?: z.ZodType;
  out?: z.ZodType;
}
const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

function shapeOf(schema: z.ZodType, refer: Refer, isRoot = false): Shape {
  const name = isRoot ? undefined : refer(schema);
  if (name !== undefined) return { kind: 'reference', name };
  const definition = definitionOf(schema);
  const inner = (part: z.ZodType | undefined) => shapeOf(part!, refer);
  switch (definition.type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'unknown':
      return { kind: definition.type };
    case 'number':
      return {
        kind: definition.format?.includes('int') ? 'integer' : isInteger(schema) ? 'integer' : 'number',
      };
    case 'literal':
      return { kind: 'literals', values: definition.values! };
    case 'enum':
      return { kind: 'literals', values: Object.values(definition.entries!) };
    case 'array':
      return { kind: 'array', items: inner(definition.element) };
    case 'record':
      return { kind: 'record', values: inner(definition.valueType) };
    case 'union':
      return { kind: 'union', options: definition.options!.map(inner) };
    case 'nullable':
      return { kind: 'union', options: [inner(definition.innerType), { kind: 'null' }] };
    case 'optional':
    case 'default':
      return inner(definition.innerType);
    case 'pipe':
      // A transform says nothing of what it takes or gives; the other half does.
      return inner(definitionOf(definition.in!).type === 'transform' ? definition.out : definition.in);
    case 'object':
      return { kind: 'object', fields: fieldsOf(definition.shape!, refer) };
    default:
      throw new Error(`a schema of type ${definition.type} has no shape`);
  }
}

/** `z.number().int()` says so in a check. */
function isInteger(schema: z.ZodType): boolean {
  const checks = (schema._zod.def.checks ?? []) as { _zod: { def: { format?: string } } }[];
  return checks.some((check) => check._zod.def.format?.includes('int'));
}

function fieldsOf(shape: Record<string, z.ZodType>, refer: Refer): Field[] {
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema, refer),
    optional: isOptional(schema),
    description: schema.meta()?.description,
  }));
}

function isOptional(schema: z.ZodType): boolean {
  const { type, in: given } = definitionOf(schema);
  return type === 'optional' || type === 'default' || (type === 'pipe' && isOptional(given!));
}
