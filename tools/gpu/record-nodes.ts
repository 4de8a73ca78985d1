import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Records what a real ComfyUI says of the nodes that the reference workflows use:
 * `npm run tool -- tools/gpu/record-nodes.ts URL`. The tests check the workflows against the record.
 * Nodes that the server does not have keep their earlier record; with `--missing`, so do all that have one.
 */

const root = join(import.meta.dirname, '../..');
const workflows = join(root, 'catalog/workflows');
const record = join(root, 'packages/server/test/support/recorded-nodes.json');

const Workflow = z.looseObject({
  definition: z.looseObject({ workflow: z.record(z.string(), z.looseObject({ class_type: z.string() })) }),
});
const Inputs = z.record(z.string(), z.tuple([z.unknown()], z.unknown()));
const Node = z.looseObject({
  input: z.looseObject({ required: Inputs.optional(), optional: Inputs.optional() }),
  output: z.array(z.unknown()),
  output_node: z.boolean(),
});
const Recorded = z.record(z.string(), z.looseObject({ from: z.string() }));

const [address, flag] = process.argv.slice(2);
if (!address || (flag ?? '--missing') !== '--missing') {
  console.error('Usage: npm run tool -- tools/gpu/record-nodes.ts URL [--missing]');
  process.exit(2);
}
const ask = async (path: string): Promise<unknown> => (await fetch(new URL(path, address))).json();
const { system } = z
  .looseObject({ system: z.looseObject({ comfyui_version: z.string() }) })
  .parse(await ask('/system_stats'));
const info = z.record(z.string(), z.looseObject({})).parse(await ask('/object_info'));

const used = new Set(
  readdirSync(workflows)
    .map((file) => Workflow.parse(JSON.parse(readFileSync(join(workflows, file), 'utf8'))))
    .flatMap(({ definition }) => Object.values(definition.workflow).map((node) => node.class_type)),
);
const before = Recorded.parse(JSON.parse(readFileSync(record, 'utf8')));
const nodes = [...used].toSorted().map((name) => {
  if (flag && before[name]) return [name, before[name]];
  if (!info[name]) {
    console.log(`${name}: the server does not have it${before[name] ? '; its record stays' : ''}`);
    return [name, before[name]];
  }
  const { input, output, output_node } = Node.parse(info[name]);
  const module = z.string().catch('').parse(info[name].python_module);
  const pack = /^custom_nodes\.(.+)$/.exec(module)?.[1];
  const from = `ComfyUI ${system.comfyui_version}${pack ? `, ${pack}` : ''}`;
  const { required = {}, optional = {} } = input;
  return [
    name,
    { from, input: { required: shorten(required), optional: shorten(optional) }, output, output_node },
  ];
});
writeFileSync(record, `${JSON.stringify(Object.fromEntries(nodes), null, 2)}\n`);

/** Types, ranges and choices, without texts for people and without the files of that server. */
function shorten(inputs: z.infer<typeof Inputs>) {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, [type, options]]) => {
      const {
        min,
        max,
        options: choices,
      } = z
        .looseObject({ min: z.unknown(), max: z.unknown(), options: z.unknown() })
        .partial()
        .catch({})
        .parse(options ?? {});
      const kept = { min, max, ...(Array.isArray(choices) && { options: withoutFiles(choices) }) };
      return [name, [Array.isArray(type) ? withoutFiles(type) : type, kept]];
    }),
  );
}

function withoutFiles(choices: unknown[]): unknown[] {
  return choices.filter((choice) => typeof choice !== 'string' || !/\.\w{2,11}$/.test(choice));
}
