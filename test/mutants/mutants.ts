import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A planted fault, as a patch with a head that git ignores. */
export interface Mutant {
  name: string;
  /** The patch file. */
  path: string;
  /** What a user or an operator would suffer. */
  harm: string;
  /** The test files that must fail, from the root of the repository. */
  caughtBy: string[];
  /** The files that the patch changes, from the root of the repository. */
  changed: string[];
}

export const root = join(import.meta.dirname, '../..');

/**
 * Whether a test file writes into the folders of installed packages. The build of the package does, when they are links:
 * in a copy of this checkout they are, and lead to the installed ones.
 */
export const writesToPackages = (file: string): boolean => file.startsWith('test/e2e/package/');

/** The mutants beside this file, or those of another folder, by name. */
export function readMutants(folder = import.meta.dirname): Mutant[] {
  return globSync('*.patch', { cwd: folder })
    .sort()
    .map((file) => readMutant(join(folder, file)));
}

function readMutant(path: string): Mutant {
  const text = readFileSync(path, 'utf8');
  const headLine = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1] ?? '';
  return {
    name: basename(path, '.patch'),
    path,
    harm: headLine('Harm'),
    caughtBy: headLine('Caught-by').split(', ').filter(Boolean),
    changed: [...text.matchAll(/^--- a\/(.+)$/gm)].map(([, file]) => file!),
  };
}

/** What git says against applying the patch to the files of a folder, or null. The folder may be no repository. */
export async function applyPatch(
  { path }: Mutant,
  folder: string,
  ...options: ('--check' | '--reverse')[]
): Promise<string | null> {
  // Inside another repository, git would take the patch to be of that one, and skip every file.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const applied = promisify(execFile)('git', ['apply', ...options, path], { cwd: folder, env });
  return applied.then(
    () => null,
    ({ stderr, message }) => String(stderr || message).trim(),
  );
}
