import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const studioDir = join(import.meta.dirname, '../../../studio');

/** What the build makes, and what the server serves under /studio/. */
export const studioFilesDir = join(studioDir, 'dist');

/** What the page is made from. A published package has none of it: it brings the page built. */
const sourceDirs = ['studio/src', 'client/src', 'contract/src'].map((path) => join(studioDir, '..', path));

/** Builds the page before the first start and after its sources have changed, and says so. */
export async function buildStudioIfStale(output: Pick<Console, 'log' | 'error'>): Promise<void> {
  if (!isStudioStale()) return;
  output.log('Building the studio, which takes a few seconds…');
  try {
    await buildStudio();
  } catch (error) {
    // The interface works without it.
    output.error(`The studio could not be built: ${error instanceof Error ? error.message : error}`);
  }
}

/** Whether the page is missing or older than its sources. */
export function isStudioStale(): boolean {
  if (!existsSync(join(studioDir, 'src'))) return false;
  const newest = Math.max(...sourceDirs.map(newestChange), changeOf(join(studioDir, 'index.html')));
  return newest > changeOf(join(studioFilesDir, 'index.html'));
}

/** Builds the page, which takes some seconds. A process of its own: the bundler would stay in the server's memory. */
export async function buildStudio(): Promise<void> {
  const fresh = `${studioFilesDir}-${process.pid}`;
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--logLevel', 'error', '--outDir', fresh, '--emptyOutDir'],
      { cwd: studioDir, env: { ...process.env, NODE_ENV: 'production' } },
    );
    // Another process may serve the old files: each folder is whole, before and after.
    rmSync(studioFilesDir, { recursive: true, force: true });
    renameSync(fresh, studioFilesDir);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function newestChange(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return Math.max(0, ...files.map((file) => changeOf(join(folder, file))));
  } catch {
    return 0;
  }
}

function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
