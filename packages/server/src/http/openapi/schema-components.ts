import { z } from 'zod';

type Json = Record<string, unknown>;
export type Direction = 'input' | 'output';

/**
 * The schemas of the contract as components of the OpenAPI document. One with an id stands there once, and references to
 * it wherever it is used. What callers send may be less than what they read of the same thing, where fields have
 * defaults: then that is a component of its own, `NAMEInput`.
 */
export class SchemaComponents {
  readonly #found: Record<Direction, Map<string, Json>> = { input: new Map(), output: new Map() };

  /** A schema where it is used: a reference, or itself where it has no id. Names are final in `finish`. */
  use(schema: z.ZodType, direction: Direction): Json {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        simplify(jsonSchema, direction);
        // zod leaves out the examples of what it changes while it reads it, such as texts that it trims.
        const { examples } = z.globalRegistry.get(zodSchema) ?? {};
        if (examples) jsonSchema.examples = examples as unknown[];
      },
    });
    const found = this.#found[direction];
    for (const [name, definition] of Object.entries($defs)) found.set(name, withoutIdentity(definition));
    const name = schema.meta()?.id;
    if (name === undefined) return markReferences(withoutIdentity(root), direction);
    // One that refers to itself is among its own definitions.
    if (!(name in $defs)) found.set(name, withoutIdentity(root));
    return { $ref: `${direction}:${name}` };
  }

  /** A document with its components, in which every reference that `use` gave leads to one. */
  finish(document: Json): Json {
    const { input, output } = this.#found;
    const apart = inputsApart(input, output);
    const schemas: Json = {};
    for (const [name, schema] of output) schemas[name] = markReferences(schema, 'output');
    for (const [name, schema] of input)
      if (apart.has(name)) schemas[`${name}Input`] = markReferences(schema, 'input');
      else schemas[name] ??= markReferences(schema, 'input');
    const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
    const { components } = document as { components: Json };
    return mapReferences({ ...document, components: { schemas: sorted, ...components } }, (reference) => {
      const [, direction, name] = /^(input|output):(.*)$/.exec(reference) ?? [];
      if (!name) return reference;
      return `#/components/schemas/${direction === 'input' && apart.has(name) ? `${name}Input` : name}`;
    });
  }
}

/** Those that callers send in another shape than they read, by themselves or by what they refer to. */
function inputsApart(
  input: ReadonlyMap<string, Json>,
  output: ReadonlyMap<string, Json>,
): ReadonlySet<string> {
  const apart = new Set<string>();
  for (let before = -1; before < apart.size; ) {
    before = apart.size;
    for (const [name, schema] of input) {
      const read = output.get(name);
      const refers = [...apart].some((other) => JSON.stringify(schema).includes(`"#/$defs/${other}"`));
      if (read && (refers || JSON.stringify(schema) !== JSON.stringify(read))) apart.add(name);
    }
  }
  return apart;
}

/** What zod writes and nobody means: the range of exact integers, and that answers never get a new field. */
function simplify(schema: Json, direction: Direction): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** A schema without the keys that say what it is called. Its examples may have such keys, which are theirs. */
function withoutIdentity(schema: object): Json {
  const { examples, ...rest } = schema as Json;
  const known: Json = JSON.parse(JSON.stringify(rest), (key, value) =>
    (key === 'id' || key === '$id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  return examples === undefined ? known : { ...known, examples };
}

const markReferences = (schema: Json, direction: Direction): Json =>
  mapReferences(schema, (reference) => reference.replace('#/$defs/', `${direction}:`));

function mapReferences(value: Json, change: (reference: string) => string): Json {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === '$ref' && typeof inner === 'string' ? change(inner) : inner,
  );
}
