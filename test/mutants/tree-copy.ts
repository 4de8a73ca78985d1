import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './mutants.ts';

/** A folder with the files of this checkout, in which they can be changed without harm. */
export interface TreeCopy {
  dir: string;
  /** Builds the pages for browsers, and keeps them for `restorePages` when no file has been changed. */
  buildPages(): Promise<void>;
  restorePages(): void;
  remove(): void;
}

const webApps = ['studio', 'booth'];
const pagesOf = (dir: string, app: string) => join(dir, 'packages', app, 'dist');
const savedPagesOf = (dir: string, app: string) => join(dir, 'unchanged-pages', app);

/** Copies the files that git tracks or would track, and links the installed packages. */
export function copyTree(): TreeCopy {
  const dir = mkdtempSync(join(tmpdir(), 'guise-mutants-'));
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  for (const file of list.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(dir, file), { preserveTimestamps: true });
  }
  linkPackages(dir);
  return {
    dir,
    buildPages: () => buildPages(dir),
    restorePages: () => restorePages(dir),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** The links to our own packages and to programs are relative: copied as they are, they lead into the copy. */
function linkPackages(dir: string): void {
  const [from, to] = [join(root, 'node_modules'), join(dir, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === '@guise' || name === '.bin')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}

async function buildPages(dir: string): Promise<void> {
  const workspaces = webApps.flatMap((app) => ['-w', `@guise/${app}`]);
  await promisify(execFile)('npm', ['run', '-s', 'build', ...workspaces], { cwd: dir });
  for (const app of webApps.filter((name) => !existsSync(savedPagesOf(dir, name))))
    cpSync(pagesOf(dir, app), savedPagesOf(dir, app), { recursive: true });
}

function restorePages(dir: string): void {
  for (const app of webApps) {
    rmSync(pagesOf(dir, app), { recursive: true, force: true });
    cpSync(savedPagesOf(dir, app), pagesOf(dir, app), { recursive: true });
  }
}
