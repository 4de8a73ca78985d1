import fc from 'fast-check';
import { z } from 'zod';

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  description?: string;
};

/** What a caller has at hand: a photo, and the ids of what it made. */
export interface Known {
  photo: string;
  ids: string[];
}

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

/** JSON that is valid and that nobody expects, as text: some of it no JavaScript value can stand for. */
const strangeJson = fc.oneof(
  { weight: 60, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 40,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      '""',
      '[]',
      '{}',
      '-0',
      '1e400',
      '-1e400',
      '9007199254740993',
      '9'.repeat(400),
      '0.1e-400',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udfff\\ud800"',
      '"\\u202e\\ufeff\\u2028"',
      '"👩‍👩‍👧‍👦"',
      '"99999999999999999999"',
      '"-1"',
      '"1 or 1=1; --"',
      '"../../../etc/passwd"',
      '"data:image/png;base64,"',
      '"data:,%"',
      '"http://[::1]:1/"',
      '"http://user:pass@127.0.0.1/"',
      '"file:///etc/passwd"',
      '{"__proto__":{"filter_id":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '{"toString":1,"valueOf":2,"hasOwnProperty":3}',
      `"${'a'.repeat(100_000)}"`,
      `[${'0,'.repeat(20_000)}0]`,
      deep('[', ']', 150),
      deep('[', ']', 5000),
      deep('{"a":', '}', 5000).replace(':}', ':0}'),
    ),
  },
  { weight: 1, arbitrary: fc.constant(deep('[', ']', 1_000_000)) },
);

function jsonOf(schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => jsonOf(choice, known)));
  switch (schema.type) {
    case 'object':
      return objectOf(schema, known);
    case 'array':
      return fc
        .array(jsonOf(schema.items ?? {}, known), { maxLength: 6 })
        .map((items) => `[${items.join()}]`);
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -1, max: 30 }), fc.maxSafeInteger(), fc.double()).map(String);
    case 'string':
      return textOf(schema, known).map((text) => JSON.stringify(text));
    default:
      return strangeJson;
  }
}

function textOf(schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  const listed = /^One of (.*)$/.exec(schema.description ?? '')?.[1]?.split(', ');
  const isImage = schema.description?.includes('image');
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(listed ?? (isImage ? [known.photo] : known.ids))) },
    { weight: 1, arbitrary: fc.constant(known.photo) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.base64String({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 30 }).map(String) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.nat(known.photo.length).map((end) => known.photo.slice(0, end)) },
  );
}

/** Nearly always with what is required; one field in eight holds something strange. */
function objectOf(schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const given = fc.oneof(
      { weight: 7, arbitrary: jsonOf(inner, known) },
      { weight: 1, arbitrary: strangeJson },
    );
    const leaveOut = schema.required?.includes(name) ? 0.03 : 0.6;
    return fc
      .tuple(given, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([value, chance]) => (chance < leaveOut ? [] : [`${JSON.stringify(name)}:${value}`]));
  });
  const extra = fc.oneof(
    { weight: 9, arbitrary: fc.constant([] as string[]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.string(), strangeJson)
        .map(([name, value]) => [`${JSON.stringify(name)}:${value}`]),
    },
  );
  return fc.tuple(...fields, extra).map((parts) => `{${parts.flat().join()}}`);
}

/** A body that is known to be accepted, with up to two fields replaced. */
function changed(example: Record<string, unknown>, schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  const names = Object.keys({ ...example, ...schema.properties });
  const change = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.tuple(fc.constant(name), fc.oneof(jsonOf(schema.properties?.[name] ?? {}, known), strangeJson)),
    );
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const fields = new Map(Object.entries(example).map(([name, value]) => [name, JSON.stringify(value)]));
    for (const [name, value] of changes) fields.set(name, value);
    return `{${[...fields].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
  });
}

/** A schema in which those that have names stand where they are used. None of a body refers to itself. */
function withoutReferences({ $defs = {}, ...root }: z.core.JSONSchema.BaseSchema): JsonSchema {
  const inline = (schema: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(schema), (_, inner) =>
      typeof inner?.$ref === 'string' ? inline($defs[inner.$ref.slice('#/$defs/'.length)]) : inner,
    );
  return inline(root);
}

/** Bytes for an endpoint: what its schema allows, that with something strange in it, and what is no JSON at all. */
export function bodyTexts(
  schema: z.ZodType,
  example: Record<string, unknown>,
  known: Known,
): fc.Arbitrary<Buffer> {
  const shape = withoutReferences(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  );
  const shaped = fc
    .oneof(changed(example, shape, known), jsonOf(shape, known))
    .map((text) => Buffer.from(text));
  const cut = fc
    .tuple(shaped, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([bytes, part]) => bytes.subarray(0, Math.floor(bytes.length * part)));
  const spoiled = fc
    .tuple(shaped, fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([bytes, part, noise]) => {
      const at = Math.floor(bytes.length * part);
      return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
    });
  return fc.oneof(
    { weight: 14, arbitrary: shaped },
    { weight: 2, arbitrary: strangeJson.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: cut },
    { weight: 2, arbitrary: spoiled },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: shaped.map((bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])) },
  );
}
