import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Mutant, root } from './mutants.ts';

/**
 * Writes a patch anew whose lines have moved, or those around them: each fault is planted where its lines are now, with as
 * much of what was around them as is still there. Says why not where that is in no place, or in several.
 */
export function renewPatch({ path, changed }: Mutant): string | null {
  const [head, ...parts] = readFileSync(path, 'utf8').split(/^--- a\//m);
  const folder = mkdtempSync(join(tmpdir(), 'guise-renewed-'));
  try {
    const diffs: string[] = [];
    for (const [i, file] of changed.entries()) {
      const [, ...hunks] = parts[i]!.split(/^@@.*\n/m);
      const before = readFileSync(join(root, file), 'utf8');
      let after: string | null = before;
      for (const hunk of hunks) after = after && plant(after, hunk.split('\n').filter(Boolean));
      if (after === null) return `${file} has the lines of the fault nowhere, or more than once`;
      diffs.push(diffOf(folder, file, before, after));
    }
    writeFileSync(path, `${head!.trimEnd()}\n\n${diffs.join('')}`);
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Changes the lines of a hunk in a text, if what it takes away is in one place. */
function plant(text: string, hunk: readonly string[]): string | null {
  const isChange = (line: string) => /^[-+]/.test(line);
  const first = hunk.findIndex(isChange);
  const last = hunk.findLastIndex(isChange);
  for (const [above, below] of [
    [2, 2],
    [2, 0],
    [0, 2],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ] as const) {
    const lines = hunk.slice(Math.max(0, first - above), last + 1 + below);
    const without = (sign: string) =>
      lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
    const [old, fresh] = [without('+').join(''), without('-').join('')];
    const found = old === '' ? [] : text.split(old);
    if (found.length === 2) return found.join(fresh);
  }
  return null;
}

function diffOf(folder: string, file: string, before: string, after: string): string {
  for (const [side, text] of [
    ['a', before],
    ['b', after],
  ] as const) {
    mkdirSync(dirname(join(folder, side, file)), { recursive: true });
    writeFileSync(join(folder, side, file), text);
  }
  const words = ['diff', '--no-index', '--no-prefix', '-U2', `a/${file}`, `b/${file}`];
  try {
    execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    // It ends with 1 where there is a difference. The line of a hunk may go on with the function that it is in.
    const { stdout } = error as { stdout: string };
    return stdout.replace(/^(?:diff|index) .*\n/gm, '').replace(/^(@@ .* @@).*$/gm, '$1');
  }
  throw new Error(`the fault of ${file} changes nothing`);
}
