import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FilterRef } from '@guise/contract/common.ts';
import { z } from 'zod';
import { routes } from '../../src/http/routes.ts';
import { compileValidator } from '../../src/http/validate.ts';
import { familyCases } from '../support/contract-cases.ts';
import { startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

// Serializers of .NET, Java and others write what is not set as null; forms, PHP and scripts write numbers and booleans
// as text.

/** Fields where null says something, with what it says. Everywhere else it is as if the field had not been sent. */
const meaningOfNull: Record<string, Record<string, string>> = {
  'PATCH /api/alias/{id}/': { safe_filter: 'no safe filter' },
  'PATCH /v1/users/me/my-custom-filters/{id}/draft': { version: 'the live one' },
  'PUT /v1/aliases/{id}/draft': { based_on: 'no draft' },
  'PUT /v1/events/{id}/draft': { based_on: 'no draft' },
  'POST /v1/keys': { budget: 'no limit', expires_at: 'never' },
  'PATCH /v1/keys/{id}': { budget: 'no limit', expires_at: 'never' },
  'PATCH /v1/qa_runs/{id}/cells/{cell_id}': { verdict: 'no verdict' },
  'PATCH /v1/scenes/{id}': { floor: 'no floor is seen', foreground: 'nothing is in front' },
  'POST /v1/scenes/{id}/preview': { floor: 'no floor is seen', foreground: 'nothing is in front' },
  'POST /v1/events': {
    safe_offer: 'none',
    budget: 'no limit',
    pictures_per_guest: 'no limit',
    tries_per_guest: 'no limit',
    result_hours: 'as long as the server says',
    gallery_password: 'none',
    webhook_url: 'nobody is told',
    printer_id: 'booths print by themselves',
    prints_per_guest: 'no limit',
    print_limit: 'no limit',
    mail: 'none is sent',
  },
  'PATCH /v1/events/{id}': {
    safe_offer: 'none',
    budget: 'no limit',
    pictures_per_guest: 'no limit',
    tries_per_guest: 'no limit',
    result_hours: 'as long as the server says',
    gallery_password: 'none',
    webhook_url: 'nobody is told',
    printer_id: 'booths print by themselves',
    prints_per_guest: 'no limit',
    print_limit: 'no limit',
    mail: 'none is sent',
  },
  'POST /v1/events/{id}/keys': { budget: 'no limit' },
  'PUT /v1/guest_address': { url: 'the address that the studio was opened at' },
  'PUT /v1/standing_webhook': { url: 'nobody is told' },
};

const bodies = routes
  .filter((route) => route.bodyKind === 'json' && route.body)
  .map((route) => ({ name: `${route.method} ${route.path}`, schema: route.body! }));

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The properties of a body, and of each of its forms where it has several. */
const propertiesOf = (schema: z.ZodType): Record<string, JsonSchema>[] => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolve = (one: JsonSchema): JsonSchema =>
    one.$ref === undefined ? one : ($defs[one.$ref.slice('#/$defs/'.length)] as JsonSchema);
  const shape = resolve(root as JsonSchema);
  const forms = [shape, ...((shape.anyOf ?? []) as JsonSchema[]).map(resolve)];
  return forms.map(({ properties = {} }) => properties as Record<string, JsonSchema>);
};

const fieldsOf = (schema: z.ZodType): string[] => propertiesOf(schema).flatMap(Object.keys);
// biome-ignore lint/suspicious/noExplicitAny: Fastify says no more of what it calls with.
const validate = (schema: z.ZodType, input: unknown) => (compileValidator as any)({ schema })(input);
/** The answer to a body, as far as a caller sees it. */
const outcome = (schema: z.ZodType, input: object) => {
  const { value, error } = validate(schema, input);
  return { value, message: error?.message };
};

for (const { name, schema } of bodies) {
  test(`${name} reads null as if the field had not been sent`, () => {
    const meaning = meaningOfNull[name] ?? {};
    const withoutMeaning = fieldsOf(schema).filter((field) => !(field in meaning));
    assert.ok(fieldsOf(schema).length > 0);
    const nothing = outcome(schema, {});
    for (const fields of [...withoutMeaning.map((field) => [field]), withoutMeaning]) {
      const nulls = Object.fromEntries(fields.map((field) => [field, null]));
      assert.deepEqual(outcome(schema, nulls), nothing, fields.join());
    }
    for (const field of Object.keys(meaning)) {
      const { value, message } = outcome(schema, { [field]: null });
      // A body that is accepted has the null; one that lacks other fields says nothing of this one.
      if (value) assert.equal(value[field], null);
      else assert.ok(!message.includes(field), message);
    }
  });
}

test('null counts as missing in a required field, below others and in unions, and stays an element of a list', () => {
  const schema = z.object({
    name: z.string(),
    kind: z.enum(['a', 'b']),
    inner: z.object({ size: z.int().optional(), at: z.string() }),
    definition: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('scene'), look: z.string().optional() }),
      z.object({ kind: z.literal('prompt'), prompt: z.string() }),
    ]),
    place: z.union([z.strictObject({ node: z.string(), input: z.string().optional() }), z.array(z.string())]),
    list: z.array(z.string()),
    anything: z.unknown(),
  });
  const body = {
    name: 'x',
    kind: 'a',
    inner: { size: null, at: 'here' },
    definition: { kind: 'scene', look: null, unknown: null },
    place: { node: 'n', input: null, unknown: null },
    list: [],
    anything: { kept: null },
  };
  assert.deepEqual(validate(schema, structuredClone(body)).value, {
    ...body,
    inner: { at: 'here' },
    definition: { kind: 'scene' },
    place: { node: 'n' },
  });
  const wrong = { ...body, name: null, kind: null, inner: { at: null }, list: [null] };
  assert.deepEqual(validate(schema, wrong).error.fields, [
    { path: 'name', message: 'is required' },
    { path: 'kind', message: 'is required' },
    { path: 'inner.at', message: 'is required' },
    { path: 'list.0', message: 'must be a text' },
  ]);
});

/** The top-level fields of a body that take a type, whatever else they take. */
const fieldsOfType = (schema: z.ZodType, type: string): string[] => {
  const takes = (field: JsonSchema): boolean =>
    field.type === type || (field.anyOf ?? []).some((option) => takes(option as JsonSchema));
  return propertiesOf(schema).flatMap((properties) =>
    Object.keys(properties).filter((name) => takes(properties[name]!)),
  );
};

test('integers come as digits and booleans as words or digits, on every endpoint that takes one', () => {
  const spellings: [type: string, value: unknown, spelt: unknown[]][] = [
    ['integer', 1, ['1', '01']],
    ['integer', -1, ['-1']],
    ['boolean', true, ['true', '1', 1]],
    ['boolean', false, ['false', '0', 0]],
  ];
  const checked: Record<string, number> = { integer: 0, boolean: 0 };
  for (const { name, schema } of bodies)
    for (const [type, value, spelt] of spellings)
      for (const field of fieldsOfType(schema, type)) {
        checked[type]!++;
        for (const text of spelt)
          assert.deepEqual(
            outcome(schema, { [field]: text }),
            outcome(schema, { [field]: value }),
            `${name} ${field}: ${JSON.stringify(text)}`,
          );
      }
  assert.ok(checked.integer! > 60 && checked.boolean! > 20, JSON.stringify(checked));
});

test('numbers as text are read below other fields, in lists, in unions and in queries; other text is not', () => {
  const schema = z.object({
    ref: FilterRef,
    limits: z.object({ most: z.int().nullable() }),
    versions: z.array(z.int()),
    place: z.union([z.object({ at: z.int(), last: z.boolean() }), z.string()]),
    name: z.string(),
  });
  const body = {
    ref: '12',
    limits: { most: '7' },
    versions: ['1', 2],
    place: { at: '3', last: 'true' },
    name: '12',
  };
  assert.deepEqual(validate(schema, structuredClone(body)).value, {
    ref: 12,
    limits: { most: 7 },
    versions: [1, 2],
    place: { at: 3, last: true },
    name: '12',
  });
  for (const text of ['', ' ', '1.5', '1e3', '0x10', 'one', '١', `1${'0'.repeat(20)}`])
    assert.equal(
      validate(schema, { ...structuredClone(body), ref: text }).error?.fields[0].path,
      'ref',
      text,
    );
  for (const word of ['', 'yes', 'TRUE', 2, '2', {}])
    assert.match(
      validate(schema, { ...body, place: { at: 3, last: word } }).error?.fields[0].path,
      /^place/,
      String(word),
    );
});

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account(100_000);
});
after(() => server.stop());

const wait = { prefer: 'wait=20' };

for (const { run, status, body, required } of familyCases) {
  test(`POST ${run} takes null for everything that is optional`, async () => {
    const schema = bodies.find(({ name }) => name === `POST ${run}`)!.schema;
    const optional = fieldsOf(schema).filter((field) => !(field in body));
    const nulls = Object.fromEntries([...optional, 'unknown_field'].map((field) => [field, null]));
    const answer = await account.call('POST', run, { ...nulls, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const plain = await account.call('POST', run, body);
    const params = [];
    for (const { id } of [answer.body, plain.body]) {
      const done = await account.call('POST', status + id, undefined, wait);
      assert.deepEqual([done.body.status, done.body.ignored], ['COMPLETED', ['another']]);
      params.push(server.engine.requests.find(({ jobId }) => jobId === id)!.params);
    }
    assert.deepEqual(params[0], params[1]);
    for (const field of required) {
      const refused = await account.call('POST', run, { ...body, [field]: null });
      assert.deepEqual(refused.body.fields, [{ path: field, message: 'is required' }], field);
    }
  });
}

test('what null clears is cleared, and a null beside it changes nothing', async () => {
  const key = await account.call('POST', '/v1/keys', {
    name: 'Booth',
    scopes: null,
    budget: 5,
    expires_at: null,
  });
  assert.deepEqual([key.status, key.body.budget, key.body.expires_at], [201, 5, null]);
  const changed = await account.call('PATCH', `/v1/keys/${key.body.id}`, { name: null, budget: null });
  assert.deepEqual([changed.status, changed.body.name, changed.body.budget], [200, 'Booth', null]);
  const unchanged = await account.call('PATCH', `/v1/keys/${key.body.id}`, { name: null });
  assert.deepEqual([unchanged.status, unchanged.body.error_code], [422, 'VALIDATION_ERROR']);

  const filter = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Quiet',
    filter_type: 'face_swap',
    definition: { kind: 'scene', scene: 'alpine-lake', look: null, costume: null },
    note: null,
  });
  assert.equal(filter.status, 201, JSON.stringify(filter.body));
  const alias = await account.call('POST', '/api/alias/', { ai_filter: filter.body.id, project: null });
  assert.deepEqual([alias.status, alias.body.project], [201, '']);
  const path = `/api/alias/${alias.body.id}/`;
  const safe = await account.call('PATCH', path, { ai_filter: null, safe_filter: filter.body.id });
  assert.equal(safe.body.safe_filter, filter.body.id);
  const cleared = await account.call('PATCH', path, { project: 'Gala', safe_filter: null });
  assert.deepEqual([cleared.body.project, cleared.body.safe_filter], ['Gala', null]);
  const nothing = await account.call('PATCH', path, { ai_filter: null, project: null });
  assert.deepEqual([nothing.status, nothing.body.error_code], [422, 'VALIDATION_ERROR']);
});
