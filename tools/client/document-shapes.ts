import { familyPaths } from '@guise/contract/families/family-paths.ts';
import { documentOf } from '@guise/server/http/openapi/openapi.ts';
import { routes } from '@guise/server/http/routes.ts';

/**
 * The shapes of the OpenAPI document, so that client libraries have types that are made from it. A shape is what is on
 * the wire: what a caller may send, and what the server answers.
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

/** What is used of a JSON schema. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: string | number | boolean | null;
  enum?: (string | number | boolean | null)[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Further names of schemas, which users of the clients may have in their programs. */
const otherNames: Readonly<Record<string, string>> = {
  BoothEventQuestions: 'ConsentQuestion',
  BoothQuestions: 'ConsentQuestion',
  ShownOffer: 'EventOffer',
};

/** What the query of an operation may hold, by the name that the clients have for it. */
const queries: Readonly<Record<string, string>> = {
  JobListQuery: 'listJobs',
  PrintQueryInput: 'readBoothPrint',
  UsageQuery: 'readUsage',
};

/** The shapes of those names and of everything they refer to, sorted by name. */
export function documentShapes(wanted: Iterable<string>): NamedShape[] {
  const document = documentOf(routes) as Document;
  const shapes = new Map<string, Shape>();
  const add = (name: string): void => {
    if (shapes.has(name)) return;
    // Before it is read: it may refer to itself.
    shapes.set(name, { kind: 'unknown' });
    const shape = shapeOfName(document, name);
    shapes.set(name, shape);
    for (const other of referencesOf(shape)) add(other);
  };
  for (const name of wanted) add(name);
  for (const [name, other] of Object.entries(otherNames)) if (shapes.has(other)) add(name);
  return [...shapes].map(([name, shape]) => ({ name, shape })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function shapeOfName(document: Document, name: string): Shape {
  if (name === 'RunBodies') return runBodiesOf(document);
  if (otherNames[name]) return { kind: 'reference', name: otherNames[name] };
  if (queries[name]) return queryOf(document, queries[name]);
  const { schemas } = document.components;
  // `NewThingInput` is what callers may give for `NewThing`; it is one thing where both are alike.
  const schema = schemas[name] ?? schemas[name.replace(/Input$/, '')];
  if (!schema) throw new Error(`the OpenAPI document has no schema called ${name}`);
  return shapeOf(schema);
}

/** What a caller may send to the run endpoint of each family. */
function runBodiesOf({ paths }: Document): Shape {
  const fields = Object.entries(familyPaths).map(([name, { run }]) => {
    const schema = paths[run]!.post!.requestBody!.content['application/json']!.schema;
    return { name, shape: shapeOf(schema), optional: false, description: undefined };
  });
  return { kind: 'object', fields };
}

function queryOf({ paths }: Document, operationId: string): Shape {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const { parameters = [] } = operations.find((operation) => operation.operationId === operationId)!;
  const inQuery = parameters.filter((parameter) => 'name' in parameter && parameter.in === 'query');
  const fields = (inQuery as Parameter[]).map(({ name, required, description, schema }) => ({
    name,
    shape: shapeOf(schema),
    optional: required !== true,
    description,
  }));
  return { kind: 'object', fields };
}

function referencesOf(shape: Shape): string[] {
  switch (shape.kind) {
    case 'reference':
      return [shape.name];
    case 'array':
      return referencesOf(shape.items);
    case 'record':
      return referencesOf(shape.values);
    case 'union':
      return shape.options.flatMap(referencesOf);
    case 'object':
      return shape.fields.flatMap((field) => referencesOf(field.shape));
    default:
      return [];
  }
}

function shapeOf(schema: Schema): Shape {
  const { $ref, type, allOf } = schema;
  if ($ref) return { kind: 'reference', name: $ref.replace('#/components/schemas/', '') };
  if (schema.enum) return { kind: 'literals', values: schema.enum };
  if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
  if (allOf?.length === 1) return shapeOf(allOf[0]!);
  const options =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(type) ? type.map((one) => ({ type: one })) : null);
  if (options) return { kind: 'union', options: options.map(shapeOf) };
  switch (type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'array':
      return { kind: 'array', items: shapeOf(schema.items ?? {}) };
    case 'object':
      return objectOf(schema);
    case undefined:
      return { kind: 'unknown' };
    default:
      throw new Error(`a schema of type ${type} has no shape`);
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): Shape {
  if (!properties && typeof additionalProperties === 'object')
    return { kind: 'record', values: shapeOf(additionalProperties) };
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema),
    optional: !required.includes(name),
    description: schema.description,
  }));
  return { kind: 'object', fields };
}
