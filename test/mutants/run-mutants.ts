import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { applyPatch, type Mutant, readMutants, root, writesToPackages } from './mutants.ts';
import { renewPatch } from './renew-patch.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

/**
 * Plants one fault after the other in a copy of this checkout and runs the test files that must notice it:
 * `npm run test:mutants`, `-- --only NAME …`, `-- --list`, `-- --write` for docs/mutants.md. `-- --renew` writes patches
 * anew whose lines have moved, those of the simulator too.
 */
const { values: options, positionals } = parseArgs({
  options: {
    list: { type: 'boolean' },
    only: { type: 'boolean' },
    renew: { type: 'boolean' },
    write: { type: 'boolean' },
  },
  allowPositionals: true,
});

/** A test may hang on a fault: then it has noticed it. */
const testMs = 120_000;

interface Verdict {
  /** File and title of the first failing test of each file, or null: the mutant survives. */
  caughtBy: string[] | null;
  /** Why the fault could not be tried. */
  problem?: string;
}

const all = readMutants();
const unknown = positionals.filter((name) => !all.some((mutant) => mutant.name === name));
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`);
const chosen = options.only ? all.filter(({ name }) => positionals.includes(name)) : all;

if (options.list) for (const { name, harm } of chosen) console.log(`${name}: ${harm}`);
else if (options.renew) process.exitCode = await renewPatches();
else process.exitCode = await runMutants(chosen);

async function renewPatches(): Promise<number> {
  let left = 0;
  for (const mutant of [...all, ...readMutants(join(root, 'sim/mutants'))]) {
    if ((await applyPatch(mutant, root, '--check')) === null) continue;
    const refusal = renewPatch(mutant);
    if (refusal !== null) left++;
    console.log(`${mutant.name}: ${refusal ?? 'written anew'}`);
  }
  return left === 0 ? 0 : 1;
}

async function runMutants(mutants: readonly Mutant[]): Promise<number> {
  const copy = copyTree();
  try {
    if (mutants.some(changesPages)) await copy.buildPages();
    const red = await failingFiles(copy, mutants);
    for (const failure of red) console.log(`fails without any mutant: ${failure}`);
    const caught = new Map<string, string[]>();
    for (const mutant of mutants) {
      const began = Date.now();
      const { caughtBy, problem } = await tryMutant(copy, mutant, red);
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`${mutant.name} | ${problem ?? caughtBy?.join(', ') ?? 'SURVIVES'} | ${seconds} s`);
      if (caughtBy) caught.set(mutant.name, caughtBy);
      // At once: whoever stops a long run keeps what it has found.
      if (options.write) writeTable(caught);
    }
    console.log(`${caught.size} of ${mutants.length} mutants are caught.`);
    return caught.size === mutants.length && red.length === 0 ? 0 : 1;
  } finally {
    copy.remove();
  }
}

/** Mutants of the pages, which tests see only as they were built. */
function changesPages({ changed }: Mutant): boolean {
  return changed.some((file) => /^packages\/(studio|booth|web)\//.test(file));
}

/** A file that fails anyway would seem to catch everything. */
async function failingFiles(copy: TreeCopy, mutants: readonly Mutant[]): Promise<string[]> {
  const red: string[] = [];
  for (const file of new Set(mutants.flatMap(({ caughtBy }) => caughtBy))) {
    const failure = writesToPackages(file)
      ? `${file}: it writes to installed packages`
      : await firstFailure(copy.dir, file);
    if (failure !== null) red.push(failure);
  }
  return red;
}

async function tryMutant(copy: TreeCopy, mutant: Mutant, red: readonly string[]): Promise<Verdict> {
  const broken = mutant.caughtBy.find((file) => red.some((failure) => failure.startsWith(`${file}: `)));
  if (broken) return { caughtBy: null, problem: `${broken} fails without it` };
  const refusal = await applyPatch(mutant, copy.dir);
  if (refusal !== null) return { caughtBy: null, problem: `does not apply: ${refusal}` };
  try {
    if (changesPages(mutant)) await copy.buildPages();
    const failures: string[] = [];
    for (const file of mutant.caughtBy) {
      const failure = await firstFailure(copy.dir, file);
      if (failure === null) return { caughtBy: null };
      failures.push(failure);
    }
    return { caughtBy: failures };
  } finally {
    await applyPatch(mutant, copy.dir, '--reverse');
    if (changesPages(mutant)) copy.restorePages();
  }
}

/** `file: title` of the first failing test, or null when all pass. A test may be defined in a file that this one imports. */
async function firstFailure(dir: string, file: string): Promise<string | null> {
  let failed: string | undefined;
  const events = run({
    files: [join(dir, file)],
    cwd: dir,
    execArgv: ['--import', './test/test-process.ts'],
    timeout: testMs,
  });
  events.on('test:fail', ({ name, details }) => {
    if (details.type !== 'suite') failed ??= name.startsWith(dir) ? 'the file itself' : name;
  });
  for await (const _ of events);
  return failed === undefined ? null : `${file}: ${failed}`;
}

/** The rows of this run, and those of an earlier one for the mutants that were not run. */
function writeTable(caught: ReadonlyMap<string, readonly string[]>): void {
  const page = join(root, 'docs/mutants.md');
  const [head, rows = ''] = readFileSync(page, 'utf8').split('|---|---|---|\n') as [string, string?];
  const earlier = new Map(rows.split('\n').map((row) => [row.split(' | ')[0]!.slice(2), row]));
  const lines = all.flatMap(({ name, harm }) => {
    const by = caught.get(name)?.map((failure) => failure.replaceAll('|', '\\|'));
    return by ? `| ${name} | ${harm} | ${by.join('<br>')} |` : (earlier.get(name) ?? []);
  });
  const counted = head.replace(/^\d+ mutants/m, `${lines.length} mutants`);
  writeFileSync(page, `${counted}|---|---|---|\n${lines.join('\n')}\n`);
}
