import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applyPatch, type Mutant, readMutants, root } from '../../test/mutants/mutants.ts';
import { copyTree } from '../../test/mutants/tree-copy.ts';

/**
 * Plants one fault after the other in a copy of this checkout, and plays seeds until a rule is broken: the simulator
 * must find each. Ends with 1 where it does not.
 *
 *   npm run sim:mutants                  all of them, within 300 seeds each
 *   npm run sim:mutants -- --only NAME … some of them
 *   npm run sim:mutants -- --write       writes the table of docs/simulator.md
 */
const { values: options, positionals } = parseArgs({
  options: {
    only: { type: 'boolean' },
    write: { type: 'boolean' },
    seeds: { type: 'string', default: '300' },
  },
  allowPositionals: true,
});

/** The first seed that broke a rule, which one, and what was seen. */
interface Found {
  seed: number;
  rule: string;
  seen: string;
}

const all = readMutants(import.meta.dirname);
const chosen = options.only ? all.filter(({ name }) => positionals.includes(name)) : all;
const copy = copyTree();
try {
  const found = new Map<string, Found>();
  for (const mutant of chosen) {
    const began = Date.now();
    const result = await tryMutant(mutant);
    if (result) found.set(mutant.name, result);
    const seconds = Math.round((Date.now() - began) / 1000);
    const told = result ? `seed ${result.seed}, “${result.rule}”: ${result.seen}` : 'SURVIVES';
    console.log(`${mutant.name} | ${told} | ${seconds} s`);
    if (options.write) writeTable(found);
  }
  console.log(`${found.size} of ${chosen.length} mutants are found within ${options.seeds} seeds.`);
  process.exitCode = found.size === chosen.length ? 0 : 1;
} finally {
  copy.remove();
}

async function tryMutant(mutant: Mutant): Promise<Found | null> {
  const refusal = await applyPatch(mutant, copy.dir);
  if (refusal !== null) throw new Error(`${mutant.name} does not apply: ${refusal}`);
  try {
    const output = await playSeeds();
    const [, seed, rule, seen] = /^seed (\d+): “(\w+)” (.*)$/m.exec(output) ?? [];
    return seed === undefined ? null : { seed: Number(seed), rule: rule!, seen: seen! };
  } finally {
    await applyPatch(mutant, copy.dir, '--reverse');
  }
}

function playSeeds(): Promise<string> {
  const args = ['tools/run-tool.ts', 'sim/main.ts', '--seeds', options.seeds, '--threads', '1'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy.dir, maxBuffer: 2 ** 28 }, (_, stdout) => resolve(stdout));
  });
}

/** The rows of this run, and those of an earlier one for the mutants that were not run. */
function writeTable(found: ReadonlyMap<string, Found>): void {
  const page = join(root, 'docs/simulator.md');
  const head = '| mutant | harm | seed | rule |\n|---|---|---|---|\n';
  const [before, rest = ''] = readFileSync(page, 'utf8').split(head) as [string, string?];
  const earlier = new Map(rest.split('\n').map((row) => [row.split(' | ')[0]!.slice(2), row]));
  const rows = all.flatMap(({ name, harm }) => {
    const result = found.get(name);
    return result ? `| ${name} | ${harm} | ${result.seed} | ${result.rule} |` : (earlier.get(name) ?? []);
  });
  const after = rest.slice(rest.indexOf('\n\n') === -1 ? rest.length : rest.indexOf('\n\n'));
  writeFileSync(page, `${before}${head}${rows.join('\n')}${after || '\n'}`);
}
